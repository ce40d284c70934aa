package io.eldr.router.telemetry;

import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.Outcome;
import io.eldr.core.routing.Decision;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.PoolObserver;
import io.eldr.router.worker.ScrapeListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What is measured of decisions and reservations. Labels come from closed sets: names of pools that exist, policies,
 * reasons and outcomes; never from what a client sent.
 */
public final class RouterMetrics implements PoolObserver, ScrapeListener {

    private final MeterRegistry registry;
    private final LoadLedger ledger;
    private final InstantSource clock;
    private final Map<String, PoolMeters> pools = new ConcurrentHashMap<>();
    private final DistributionSummary tpot;
    private final Counter decodeTokens;
    private final Timer scrapes;
    private final Timer pages;
    private final Counter failedScrapes;

    public RouterMetrics(MeterRegistry registry, LoadLedger ledger, InstantSource clock) {
        this.registry = registry;
        this.ledger = ledger;
        this.clock = clock;
        this.tpot = DistributionSummary.builder("eldr.router.reported.tpot")
                .description("Mean time per output token of requests, as whoever closed them says")
                .baseUnit("milliseconds")
                .register(registry);
        this.decodeTokens = Counter.builder("eldr.router.reported.decode.tokens")
                .description("Tokens decoded, as whoever closed the requests says")
                .register(registry);
        this.scrapes = Timer.builder("eldr.router.scrape")
                .description("Time to get and read a page of an engine's metrics")
                .register(registry);
        this.pages = Timer.builder("eldr.router.scrape.reading")
                .description("Of that, computing time spent on the page's bytes")
                .register(registry);
        Gauge.builder("eldr.router.reservations.use", ledger, LoadLedger::useBytes)
                .description("Memory of open reservations for the experts that their requests are expected to use")
                .baseUnit("bytes")
                .register(registry);
        this.failedScrapes = Counter.builder("eldr.router.scrape.failed")
                .description("Pages of metrics that did not come or did not say how loaded the engine is")
                .register(registry);
    }

    @Override
    public void added(Pool pool) {
        removed(pool.name());
        pools.put(pool.name(), new PoolMeters(registry, pool, ledger, clock));
    }

    @Override
    public void changed(Pool pool) {
        PoolMeters meters = pools.get(pool.name());
        if (meters != null) {
            meters.changed(pool);
        }
    }

    @Override
    public void scraped(long nanos, long readingNanos) {
        scrapes.record(nanos, TimeUnit.NANOSECONDS);
        pages.record(readingNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void failed() {
        failedScrapes.increment();
    }

    @Override
    public void removed(String pool) {
        PoolMeters meters = pools.remove(pool);
        if (meters != null) {
            meters.remove();
        }
    }

    @Override
    public void refused(String pool) {
        PoolMeters meters = pools.get(pool);
        if (meters != null) {
            meters.activationRefused();
        }
    }

    /** A request was placed. */
    public void decided(Decision.Chosen chosen, long nanos) {
        PoolMeters meters = pools.get(chosen.version().pool());
        if (meters != null) {
            meters.decided(chosen, nanos);
        }
    }

    /** No decoder could take a request. */
    public void refused(String pool, Decision.Unplaced why) {
        PoolMeters meters = pools.get(pool);
        if (meters != null) {
            meters.refused(why);
        }
    }

    /** A reservation was opened. */
    public void opened(String pool) {
        PoolMeters meters = pools.get(pool);
        if (meters != null) {
            meters.opened();
        }
    }

    /** A reservation was closed. */
    public void closed(String pool, Outcome outcome) {
        PoolMeters meters = pools.get(pool);
        if (meters != null) {
            meters.closed(outcome);
        }
    }

    /** A reservation's lease ended. */
    public void expired(String pool) {
        PoolMeters meters = pools.get(pool);
        if (meters != null) {
            meters.expired();
        }
    }

    /** A reservation left a decoder that failed for another one. */
    public void moved(String pool) {
        PoolMeters meters = pools.get(pool);
        if (meters != null) {
            meters.moved();
        }
    }

    /** What the closer of a reservation says of its request. */
    public void reported(Optional<Integer> tokens, Optional<Double> tpotMillis) {
        tokens.ifPresent(decodeTokens::increment);
        tpotMillis.ifPresent(tpot::record);
    }
}
