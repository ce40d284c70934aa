package io.eldr.router.testing;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.RouterProperties;
import io.eldr.router.worker.Breakers;
import io.eldr.router.worker.EngineScraper;
import io.eldr.router.worker.HealthProber;
import io.eldr.router.worker.Ranks;
import io.eldr.router.worker.ScrapeListener;
import io.eldr.router.worker.WorkerStandings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SplittableRandom;

/** What watches workers, without a router around it. */
public final class TestWorkers {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private TestWorkers() {}

    public static WorkerStandings standings(LoadLedger ledger) {
        InstantSource clock = InstantSource.system();
        return new WorkerStandings(
                new HealthProber(new RouterProperties.Probe(SECOND, SECOND, 1, 1)),
                new Breakers(new RouterProperties.Breaker(5, SECOND, SECOND), ledger, clock),
                new EngineScraper(
                        new RouterProperties.Scrape(SECOND, SECOND),
                        ledger,
                        new Ranks(new SplittableRandom(1)),
                        clock,
                        new Unheard()));
    }

    /** Scrapes that nobody counts. */
    public static final class Unheard implements ScrapeListener {
        @Override
        public void scraped(long nanos, long readingNanos) {}

        @Override
        public void failed() {}
    }
}
