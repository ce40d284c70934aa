package io.eldr.router.web;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedException;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers with a problem where a filter failed or refused, before any controller was reached. */
@Component
@Order(-2)
final class LastResort implements WebExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(LastResort.class);

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable fault) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(fault);
        }
        ProblemDetail problem;
        if (fault instanceof ErrorResponse refusal) {
            problem = Problems.withStableType(refusal.getBody());
            response.getHeaders().putAll(refusal.getHeaders());
        } else if (fault instanceof ServerExchangeRejectedException) {
            problem = Problems.of(ProblemType.INVALID_INPUT, "The path or a header holds characters that are refused.");
        } else {
            log.error("{} failed", exchange.getRequest().getPath(), fault);
            problem = Problems.of(ProblemType.INTERNAL, "The router failed; its log says why.");
        }
        byte[] body = Problems.toJson(problem);
        response.setStatusCode(HttpStatusCode.valueOf(problem.getStatus()));
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
