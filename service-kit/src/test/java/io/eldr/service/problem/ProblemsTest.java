package io.eldr.service.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.signature.InvalidInputException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProblemsTest {

    @Test
    void aBadFieldIsNamedInItsOwnProperty() {
        JsonNode body = read(Problems.invalid("line 3: promptTokens", "must not be negative"));

        assertThat(body.get("type").asString()).isEqualTo("https://eldr.io/problems/invalid-input");
        assertThat(body.get("status").asInt()).isEqualTo(400);
        assertThat(body.get("field").asString()).isEqualTo("line 3: promptTokens");
        assertThat(body.get("detail").asString()).isEqualTo("line 3: promptTokens: must not be negative");
        assertThat(body.get("title").asString()).isEqualTo("The request is not valid");
    }

    @Test
    void inputWithoutAFieldOfItsOwnNamesNone() {
        ProblemDetail problem = new InvalidInputAdvice().invalidInput(new InvalidInputException("", "is no JSON"));

        assertThat(read(problem).has("field")).isFalse();
        assertThat(problem.getDetail()).isEqualTo("is no JSON");
    }

    @Test
    void accessProblemsAreProblemsToo() {
        assertThat(read(Problems.unauthorized()).get("status").asInt()).isEqualTo(401);
        assertThat(read(Problems.forbidden()).get("type").asString()).isEqualTo("https://eldr.io/problems/forbidden");
    }

    @Test
    void everyTypeHasAUriOfItsOwn() {
        assertThat(Arrays.stream(ProblemType.values()).map(ProblemType::uri))
                .doesNotHaveDuplicates()
                .allSatisfy(uri -> assertThat(uri.toString()).matches("https://eldr\\.io/problems/[a-z-]+"));
    }

    @Test
    void aProblemOfTheFrameworkGetsTheTypeOfItsStatus() {
        assertThat(typed(HttpStatus.UNSUPPORTED_MEDIA_TYPE)).isEqualTo(ProblemType.UNSUPPORTED_MEDIA_TYPE.uri());
        assertThat(typed(HttpStatus.SERVICE_UNAVAILABLE)).isEqualTo(ProblemType.UNAVAILABLE.uri());
        assertThat(typed(HttpStatus.EXPECTATION_FAILED)).isEqualTo(ProblemType.INVALID_INPUT.uri());
        assertThat(typed(HttpStatus.BAD_GATEWAY)).isEqualTo(ProblemType.INTERNAL.uri());
    }

    @Test
    void aProblemWithATypeKeepsIt() {
        ProblemDetail problem = Problems.of(ProblemType.NO_DECODER, "All eight decoders drain.");

        assertThat(Problems.withStableType(problem).getType()).isEqualTo(ProblemType.NO_DECODER.uri());
    }

    @Test
    void anExceptionCarriesTheProblem() {
        assertThat(Problems.exception(ProblemType.NOT_FOUND, "No pool demo.").getBody())
                .isEqualTo(Problems.of(ProblemType.NOT_FOUND, "No pool demo."));
    }

    private static @Nullable URI typed(HttpStatus status) {
        return Problems.withStableType(ProblemDetail.forStatus(status)).getType();
    }

    private static JsonNode read(ProblemDetail problem) {
        return JsonMapper.shared().readTree(new String(Problems.toJson(problem), StandardCharsets.UTF_8));
    }
}
