package io.eldr.calibration.web;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.io.IOException;
import org.springframework.http.ProblemDetail;

/** A body goes on beyond its limit. */
final class BodyTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long limit;

    BodyTooLargeException(long limit) {
        super("the body is larger than " + limit + " bytes");
        this.limit = limit;
    }

    ProblemDetail problem() {
        return Problems.of(
                ProblemType.TOO_LARGE,
                "The body is larger than " + limit + " bytes, which is the most that is taken here.");
    }
}
