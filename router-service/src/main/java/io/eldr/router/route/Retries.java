package io.eldr.router.route;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import org.springframework.http.HttpHeaders;
import org.springframework.web.ErrorResponseException;

/** Refusals that say when to try again. */
final class Retries {

    private static final String SECONDS = "1";

    private Retries() {}

    static ErrorResponseException later(ProblemType type, String detail) {
        ErrorResponseException exception = new ErrorResponseException(type.status(), Problems.of(type, detail), null);
        exception.getHeaders().set(HttpHeaders.RETRY_AFTER, SECONDS);
        return exception;
    }
}
