package io.eldr.service.problem;

import io.eldr.core.signature.InvalidInputException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import org.springframework.web.ErrorResponseException;
import tools.jackson.databind.json.JsonMapper;

/** Makes the problem details of RFC 9457 that every service answers with. */
public final class Problems {

    /** The property that names the field at fault, by its path in the request: {@code signature.eldr.counts}. */
    public static final String FIELD = "field";

    private static final URI BLANK = URI.create("about:blank");
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    private Problems() {}

    /**
     * A problem of a known type.
     *
     * @param detail what happened this time and what to do, for a person; it carries no secrets and no stack traces
     */
    public static ProblemDetail of(ProblemType type, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(type.status(), detail);
        problem.setType(type.uri());
        problem.setTitle(type.title());
        return problem;
    }

    /** A 400 that names the field at fault. */
    public static ProblemDetail invalid(String field, String reason) {
        return invalid(new InvalidInputException(field, reason));
    }

    /** A 400 for input that the core refused. */
    public static ProblemDetail invalid(InvalidInputException refusal) {
        String field = refusal.field();
        if (field.isEmpty()) {
            return of(ProblemType.INVALID_INPUT, refusal.reason());
        }
        ProblemDetail problem = of(ProblemType.INVALID_INPUT, field + ": " + refusal.reason());
        problem.setProperty(FIELD, field);
        return problem;
    }

    /** A call without a token, or with one nobody knows. */
    public static ProblemDetail unauthorized() {
        return of(
                ProblemType.UNAUTHORIZED,
                "Send a token that is known here in the header Authorization: Bearer <token>.");
    }

    /** A call whose token lacks the role. */
    public static ProblemDetail forbidden() {
        return of(ProblemType.FORBIDDEN, "The role of this token is not enough for this call.");
    }

    /** The exception that ends a call with a problem, for where an answer cannot be returned. */
    public static ErrorResponseException exception(ProblemType type, String detail) {
        return new ErrorResponseException(type.status(), of(type, detail), null);
    }

    /**
     * Gives a problem of the framework (unknown path, wrong method, unreadable body, ..) one of our types. A problem
     * that has a type keeps it.
     */
    public static ProblemDetail withStableType(ProblemDetail problem) {
        @Nullable URI type = problem.getType();
        if (type == null || type.equals(BLANK)) {
            problem.setType(ProblemType.ofStatus(problem.getStatus()).uri());
        }
        return problem;
    }

    /** The body, UTF-8, for where no message converter is at hand, such as the entry point of a filter chain. */
    public static byte[] toJson(ProblemDetail problem) {
        return MAPPER.writeValueAsString(problem).getBytes(StandardCharsets.UTF_8);
    }
}
