package io.eldr.router.web;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.server.MissingRequestValueException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;

/** Gives every refusal of the framework the form and the stable type that all problems have. */
@RestControllerAdvice
@Order(0)
class ProblemAdvice extends ResponseEntityExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    @Override
    protected Mono<ResponseEntity<Object>> handleServerWebInputException(
            ServerWebInputException refusal, HttpHeaders headers, HttpStatusCode status, ServerWebExchange exchange) {
        return createResponseEntity(InputProblems.of(refusal), headers, status, exchange);
    }

    @Override
    protected Mono<ResponseEntity<Object>> handleMissingRequestValueException(
            MissingRequestValueException refusal,
            HttpHeaders headers,
            HttpStatusCode status,
            ServerWebExchange exchange) {
        return createResponseEntity(Problems.invalid(refusal.getName(), "is missing"), headers, status, exchange);
    }

    @Override
    protected Mono<ResponseEntity<Object>> createResponseEntity(
            @Nullable Object body, @Nullable HttpHeaders headers, HttpStatusCode status, ServerWebExchange exchange) {
        Object stable = body instanceof ProblemDetail problem ? Problems.withStableType(problem) : body;
        return super.createResponseEntity(stable, headers, status, exchange);
    }

    /** What the firewall finds in a parameter or header only when it is read. */
    @ExceptionHandler(ServerExchangeRejectedException.class)
    ProblemDetail refused(ServerExchangeRejectedException refusal) {
        return Problems.of(ProblemType.INVALID_INPUT, "A parameter or header holds characters that are refused.");
    }

    /** What nobody foresaw is the router's fault and says nothing of its inside. */
    @ExceptionHandler(Exception.class)
    ProblemDetail unforeseen(Exception fault, ServerWebExchange exchange) {
        log.error(
                "{} {} failed",
                exchange.getRequest().getMethod(),
                exchange.getRequest().getPath(),
                fault);
        return Problems.of(ProblemType.INTERNAL, "The router failed; its log says why.");
    }
}
