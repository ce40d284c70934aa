package io.eldr.calibration.web;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.Optional;
import org.apache.coyote.BadRequestException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.orm.jpa.JpaSystemException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;

/** Makes a problem with a stable type of whatever a call ended with. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);
    private static final String RETRY_SECONDS = "2";

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException refusal, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = unreadable(refusal);
        return ResponseEntity.status(problem.getStatus()).body(problem);
    }

    private static ProblemDetail unreadable(HttpMessageNotReadableException refusal) {
        Optional<BodyTooLargeException> tooLarge = cause(refusal, BodyTooLargeException.class);
        if (tooLarge.isPresent()) {
            return tooLarge.get().problem();
        }
        return cause(refusal, JacksonException.class)
                .map(json -> Problems.invalid(JsonRefusal.of(json)))
                .orElseGet(() -> Problems.invalid("body", "is missing or cannot be read"));
    }

    private static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
        }
        return Optional.empty();
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String field = mismatch instanceof MethodArgumentTypeMismatchException argument
                ? argument.getName()
                : Optional.ofNullable(mismatch.getPropertyName()).orElse("");
        return ResponseEntity.badRequest().body(Problems.invalid(field, "has a value of the wrong type"));
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMissingServletRequestParameter(
            MissingServletRequestParameterException missing,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return ResponseEntity.badRequest().body(Problems.invalid(missing.getParameterName(), "is missing"));
    }

    /** Everything else that Spring refuses, and what our own code ends with a problem. */
    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception refusal, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ResponseEntity<Object> answer = super.handleExceptionInternal(refusal, body, headers, status, request);
        if (answer != null && answer.getBody() instanceof ProblemDetail problem) {
            Problems.withStableType(problem);
            if (status.value() == ProblemType.UNAVAILABLE.status().value()) {
                return unavailable(problem);
            }
        }
        return answer;
    }

    @ExceptionHandler
    ProblemDetail tooLarge(BodyTooLargeException refusal) {
        return refusal.problem();
    }

    @ExceptionHandler
    ProblemDetail unfinished(BadRequestException refusal) {
        return Problems.invalid("body", "cannot be read to its end");
    }

    @ExceptionHandler({
        CannotCreateTransactionException.class,
        CannotGetJdbcConnectionException.class,
        DataAccessResourceFailureException.class,
        TransientDataAccessException.class,
        TransactionSystemException.class,
        JpaSystemException.class
    })
    ResponseEntity<Object> registryIsAway(Exception failure) {
        log.warn("A call failed for want of the registry: {}", failure.toString());
        return unavailable(Problems.of(ProblemType.UNAVAILABLE, "Postgres does not answer. Try again soon."));
    }

    @ExceptionHandler
    ProblemDetail lostUpdate(OptimisticLockingFailureException conflict) {
        return Problems.of(
                ProblemType.CONFLICT, "Somebody else changed the same thing at the same time. Read it and try again.");
    }

    @ExceptionHandler
    ProblemDetail failed(Exception failure) {
        log.error("A call failed", failure);
        return Problems.of(ProblemType.INTERNAL, "The service failed; its log says why.");
    }

    private static ResponseEntity<Object> unavailable(ProblemDetail problem) {
        return ResponseEntity.status(problem.getStatus())
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .body(problem);
    }
}
