package io.eldr.admin.web;

import io.eldr.admin.upstream.UpstreamException;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Makes a problem with a stable type of whatever a call ended with. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);
    private static final String RETRY_SECONDS = "2";

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException refusal, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return ResponseEntity.badRequest().body(Problems.invalid("body", "is missing or cannot be read"));
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception refusal, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ResponseEntity<Object> answer = super.handleExceptionInternal(refusal, body, headers, status, request);
        if (answer != null && answer.getBody() instanceof ProblemDetail problem) {
            Problems.withStableType(problem);
        }
        return answer;
    }

    @ExceptionHandler
    ResponseEntity<Object> away(UpstreamException failure) {
        log.warn("A call could not be passed on: the service {}", failure.reason());
        ProblemDetail problem =
                Problems.of(ProblemType.UNAVAILABLE, "The service behind the dashboard " + failure.reason() + ".");
        return ResponseEntity.status(problem.getStatus())
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .body(problem);
    }

    @ExceptionHandler
    ProblemDetail failed(Exception failure) {
        log.error("A call failed", failure);
        return Problems.of(ProblemType.INTERNAL, "The dashboard's back end failed; its log says why.");
    }
}
