package io.eldr.admin.security;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/** Answers with a problem where no controller does. */
public final class ProblemWriter {
    private ProblemWriter() {}

    static void unauthorized(HttpServletResponse response) throws IOException {
        write(response, Problems.of(ProblemType.UNAUTHORIZED, "Nobody is logged in, or the session is over. Log in."));
    }

    static void forbidden(HttpServletResponse response, String detail) throws IOException {
        write(response, Problems.of(ProblemType.FORBIDDEN, detail));
    }

    public static void write(HttpServletResponse response, ProblemDetail problem) throws IOException {
        byte[] body = Problems.toJson(problem);
        response.setStatus(problem.getStatus());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
