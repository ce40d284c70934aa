package io.eldr.router.replica;

import io.eldr.core.load.ReservationId;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Sends what is said about a reservation on to the router that holds it, whose id stands in the reservation's. A request
 * goes one hop: it is marked by {@value #FORWARDED_BY}, and a marked one is never sent on. The caller's own token goes with
 * it, so replicas accept the same tokens, each checks them itself, and no secret of their own is needed. Where the owner is dead or not reached its
 * load is gone with it, or ends with its lease: closing is done (204), and there is nothing to renew or move (410).
 *
 * <p>It runs after the security filters, so nobody reaches another router who may not call this one.
 */
final class ForwardingFilter implements WebFilter, Ordered, DisposableBean {

    /** Names the router that sent a request on. */
    static final String FORWARDED_BY = "X-Eldr-Forwarded-By";

    private static final Logger log = LoggerFactory.getLogger(ForwardingFilter.class);
    private static final int MOST_BODY_BYTES = 32 << 20;
    private static final String GONE = "The router that held this reservation is gone, and the reservation with it.";

    private static final PathPattern RESERVATION = PathPatternParser.defaultInstance.parse("/v1/reservations/{id}");
    private static final PathPattern DEED = PathPatternParser.defaultInstance.parse("/v1/reservations/{id}/{deed}");
    private static final String CLOSE = "close";
    private static final List<String> DEEDS = List.of(CLOSE, "renew", "reassign");
    private static final List<String> PASSED_ON = List.of(HttpHeaders.AUTHORIZATION, HttpHeaders.CONTENT_TYPE);
    private static final List<String> PASSED_BACK =
            List.of(HttpHeaders.CONTENT_TYPE, HttpHeaders.RETRY_AFTER, HttpHeaders.WWW_AUTHENTICATE);

    private final Replicas replicas;
    private final String self;
    private final Forwarder forwarder;
    private final Counter answered;
    private final Counter ownerGone;

    ForwardingFilter(Replicas replicas, String self, Forwarder forwarder, MeterRegistry registry) {
        this.replicas = replicas;
        this.self = self;
        this.forwarder = forwarder;
        this.answered = counter(registry, "answered");
        this.ownerGone = counter(registry, "owner-gone");
    }

    private static Counter counter(MeterRegistry registry, String result) {
        return Counter.builder("eldr.router.forwarded")
                .description("Requests about reservations of other routers")
                .tag("result", result)
                .register(registry);
    }

    /** Behind the filters that say who may call. */
    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public void destroy() {
        forwarder.close();
    }

    /** What is said about a reservation of another router. */
    private record Foreign(ReservationId id, boolean closes) {}

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Optional<Foreign> foreign = foreign(exchange.getRequest());
        if (foreign.isEmpty()) {
            return chain.filter(exchange);
        }
        boolean marked = exchange.getRequest().getHeaders().containsHeader(FORWARDED_BY);
        Optional<URI> owner = marked
                ? Optional.empty()
                : replicas.find(foreign.get().id().router()).flatMap(Replicas.Replica::url);
        return owner.isPresent()
                ? forward(exchange, foreign.get(), owner.get())
                : gone(exchange.getResponse(), foreign.get());
    }

    private Optional<Foreign> foreign(ServerHttpRequest request) {
        PathContainer path = request.getPath().pathWithinApplication();
        PathPattern.PathMatchInfo whole = RESERVATION.matchAndExtract(path);
        if (whole != null) {
            return HttpMethod.DELETE.equals(request.getMethod())
                    ? foreign(whole.getUriVariables(), true)
                    : Optional.empty();
        }
        PathPattern.PathMatchInfo part = DEED.matchAndExtract(path);
        if (part == null || !HttpMethod.POST.equals(request.getMethod())) {
            return Optional.empty();
        }
        String deed = part.getUriVariables().getOrDefault("deed", "");
        return DEEDS.contains(deed) ? foreign(part.getUriVariables(), deed.equals(CLOSE)) : Optional.empty();
    }

    private Optional<Foreign> foreign(Map<String, String> variables, boolean closes) {
        return ReservationId.parse(variables.getOrDefault("id", ""))
                .filter(id -> !replicas.isSelf(id.router()))
                .map(id -> new Foreign(id, closes));
    }

    private Mono<Void> forward(ServerWebExchange exchange, Foreign foreign, URI owner) {
        ServerHttpRequest request = exchange.getRequest();
        URI target = target(owner, request.getURI());
        return body(request)
                .flatMap(body -> send(request, target, body))
                .flatMap(answer -> answer.isPresent()
                        ? passBack(exchange.getResponse(), answer.get())
                        : gone(exchange.getResponse(), foreign));
    }

    /** Once it is on its way it gets there, also if the caller no longer waits: a load must not stay behind for that. */
    private Mono<Optional<ResponseEntity<byte[]>>> send(ServerHttpRequest request, URI target, byte[] body) {
        return Mono.fromFuture(
                () -> forwarder
                        .send(request.getMethod(), target, passedOn(request), body)
                        .map(Optional::of)
                        .onErrorResume(failure -> {
                            log.debug("{} is not reached: {}", target, failure.getMessage());
                            return Mono.just(Optional.empty());
                        })
                        .toFuture(),
                true);
    }

    private static Mono<byte[]> body(ServerHttpRequest request) {
        return DataBufferUtils.join(request.getBody(), MOST_BODY_BYTES)
                .map(buffer -> {
                    byte[] bytes = new byte[buffer.readableByteCount()];
                    buffer.read(bytes);
                    DataBufferUtils.release(buffer);
                    return bytes;
                })
                .defaultIfEmpty(new byte[0])
                .onErrorMap(
                        DataBufferLimitException.class,
                        tooLarge -> Problems.exception(
                                ProblemType.TOO_LARGE, "The body has more than " + MOST_BODY_BYTES + " bytes."));
    }

    private static URI target(URI owner, URI asked) {
        String base = owner.toString();
        String query = asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery();
        return URI.create(
                (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + asked.getRawPath() + query);
    }

    private HttpHeaders passedOn(ServerHttpRequest request) {
        HttpHeaders headers = new HttpHeaders();
        for (String name : PASSED_ON) {
            headers.addAll(name, request.getHeaders().getOrEmpty(name));
        }
        headers.set(FORWARDED_BY, self);
        return headers;
    }

    private Mono<Void> passBack(ServerHttpResponse response, ResponseEntity<byte[]> answer) {
        answered.increment();
        response.setStatusCode(answer.getStatusCode());
        for (String name : PASSED_BACK) {
            response.getHeaders().addAll(name, answer.getHeaders().getOrEmpty(name));
        }
        byte[] body = answer.getBody();
        if (body == null || body.length == 0) {
            return response.setComplete();
        }
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    private Mono<Void> gone(ServerHttpResponse response, Foreign foreign) {
        ownerGone.increment();
        if (!foreign.closes()) {
            return Mono.error(Problems.exception(ProblemType.GONE, GONE));
        }
        response.setStatusCode(HttpStatus.NO_CONTENT);
        return response.setComplete();
    }
}
