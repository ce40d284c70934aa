package io.eldr.router.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.TokenRows;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DecodedRowsTest {
    private static final TokenRows ROWS = TokenRows.drawn(11, 9);

    @Test
    void theRowsBehindThoseOfThePromptAreTheAnswers() {
        assertThat(read(ROWS, 4, 6)).contains(ROWS.counts(4, 9));
    }

    @Test
    void rowsOfTheAnswerAloneAreThatToo() {
        assertThat(read(ROWS, 4, 10)).contains(ROWS.counts(0, 9));
    }

    @Test
    void rowsOfThePromptAloneSayNothingOfTheAnswer() {
        assertThat(read(ROWS, 9, 4)).isEmpty();
        assertThat(read(ROWS, 8, 1)).isEmpty();
    }

    @Test
    void anAnswerWithoutRowsHasNone() {
        assertThat(read("{\"choices\":[{\"text\":\"x\"}]}")).isEmpty();
        assertThat(read("{}")).isEmpty();
    }

    @Test
    void rowsThatFitNeitherAreRefused() {
        assertThatExceptionOfType(InvalidInputException.class).isThrownBy(() -> read(ROWS, 4, 7));
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> read("{\"choices\":[{\"routed_experts\":\"" + ROWS.base64() + "\"}]}"));
    }

    private static Optional<ExpertCounts> read(TokenRows rows, int prompt, int completion) {
        return read("{\"choices\":[{\"routed_experts\":\"" + rows.base64() + "\"}],\"usage\":{\"prompt_tokens\":"
                + prompt + ",\"completion_tokens\":" + completion + "}}");
    }

    private static Optional<ExpertCounts> read(String answer) {
        return DecodedRows.read(JsonMembers.of("answer", answer.getBytes(StandardCharsets.UTF_8)), Fixtures.GEOMETRY);
    }
}
