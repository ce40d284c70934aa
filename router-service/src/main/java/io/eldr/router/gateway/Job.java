package io.eldr.router.gateway;

import io.eldr.router.engine.EngineDialect;
import io.eldr.router.engine.JsonMembers;
import io.eldr.router.pool.Pool;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** One client's request on its way through the gateway, from one worker to the next. */
final class Job {
    private static final int MAX_CLIENT_ID = 100;

    private final ClientExchange exchange;
    private final CompletionRequest request;
    private final Models.Served served;
    private final String name;
    private final long startedAt;
    private final Set<String> failedPrefillers = new HashSet<>();
    private final Set<String> failedDecoders = new HashSet<>();
    private boolean ended;
    private int attempt;
    private boolean forgave;

    Job(ClientExchange exchange, CompletionRequest request, Models.Served served, long startedAt) {
        this.exchange = exchange;
        this.request = request;
        this.served = served;
        this.startedAt = startedAt;
        this.name = Optional.ofNullable(exchange.headers().get("X-Request-Id"))
                .filter(id -> !id.isBlank() && id.length() <= MAX_CLIENT_ID)
                .filter(id -> id.chars().allMatch(c -> c > ' ' && c < 0x7F))
                .orElse("eldr");
    }

    ClientExchange exchange() {
        return exchange;
    }

    CompletionRequest request() {
        return request;
    }

    Pool pool() {
        return served.pool();
    }

    EngineDialect dialect() {
        return served.dialect();
    }

    /** The client's body as the engines are to see it, but for what prefill and decode add. */
    JsonMembers.Splice body() {
        return request.body(served.engineModel());
    }

    long startedAt() {
        return startedAt;
    }

    /** Begins anew; the id is another one each time, since engines keep state by it. */
    String nextId() {
        attempt++;
        return name + "-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** How often it was begun. */
    int attempt() {
        return attempt;
    }

    /** Slots of prefill workers that failed it. */
    Set<String> failedPrefillers() {
        return failedPrefillers;
    }

    /** Slots of decode workers that failed it. */
    Set<String> failedDecoders() {
        return failedDecoders;
    }

    /** Whether a failure may be laid to a connection that had been idle; once. */
    boolean forgive() {
        boolean first = !forgave;
        forgave = true;
        return first;
    }

    /** @return whether this call ended it, which one does */
    boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }
}
