package io.eldr.router.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import io.eldr.core.load.EngineReport;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.router.RouterProperties;
import io.eldr.router.testing.FakeDecoder;
import io.eldr.router.testing.MovingClock;
import io.eldr.router.testing.TestWorkers;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reading the metrics of one engine, over HTTP. */
class EngineScraperTest {

    private static final Logger log = LoggerFactory.getLogger(EngineScraperTest.class);
    private static final Incarnation A = new Incarnation("a", "1");
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final MovingClock clock = new MovingClock();
    private final LoadLedger ledger = new LoadLedger();
    private final Ranks ranks = new Ranks(new SplittableRandom(1));
    private final FakeDecoder engine = new FakeDecoder(FakeDecoder.manyOtherSeries());
    private final EngineScraper scraper = scraper(new TestWorkers.Unheard());

    EngineScraperTest() {
        ledger.view(List.of(A));
    }

    @AfterEach
    void close() {
        scraper.close();
        engine.close();
    }

    @Test
    void whatTheEngineSaysReachesTheEstimateAndLeavesTheOwnCountAlone() {
        engine.begin();
        engine.begin();
        scraper.watch(List.of(target()));

        await().until(() -> ledger.load(A) == 2);
        assertThat(ledger.inFlight(A)).isZero();
        assertThat(ledger.report(A)).contains(new EngineReport(2, 0, OptionalDouble.of(0.25)));
        assertThat(scraper.snapshot(A).orElseThrow().load().kvUse()).hasValue(0.25);
        engine.end();
        await().until(() -> ledger.load(A) == 1);
    }

    @Test
    void aReportCountsForThreeIntervals() {
        engine.begin();
        scraper.watch(List.of(target()));
        await().until(() -> ledger.report(A).isPresent());
        engine.metrics(500);
        int pages = engine.pages();
        await().until(() -> engine.pages() >= pages + 3);

        scraper.takeBackOld();
        clock.advance(INTERVAL.multipliedBy(4));
        scraper.takeBackOld();

        assertThat(ledger.report(A)).isEmpty();
        assertThat(scraper.snapshot(A)).isPresent();
        engine.metrics(200);
        await().until(() -> ledger.report(A).isPresent());
    }

    @Test
    void anEngineThatIsNoLongerWatchedIsForgotten() {
        scraper.watch(List.of(target()));
        await().until(() -> ledger.report(A).isPresent());

        scraper.watch(List.of());

        assertThat(ledger.report(A)).isEmpty();
        assertThat(scraper.snapshot(A)).isEmpty();
    }

    @Test
    void anEngineWithoutMetricsOrWithoutAddressIsAskedAgainAndNothingElse() {
        Incarnation b = new Incarnation("b", "1");
        engine.metrics(404);
        scraper.watch(List.of(target(), new EngineScraper.Target(b, "no address at all")));

        await().until(() -> engine.pages() >= 3);
        assertThat(ledger.report(A)).isEmpty();
        engine.metrics(200);
        await().until(() -> ledger.report(A).isPresent());
    }

    /** An upper bound: the engine that makes the page, and what other tests left running, are in the same process. */
    @Test
    void whatAScrapeOfAPageOfMoreThan40KiBCostsIsReported() {
        AtomicLong reading = new AtomicLong();
        AtomicLong scrapes = new AtomicLong();
        assertThat(FakeDecoder.manyOtherSeries().length()).isGreaterThan(40 * 1024);
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (EngineScraper measured = scraper(new ScrapeListener() {
            @Override
            public void scraped(long nanos, long readingNanos) {
                scrapes.incrementAndGet();
                reading.addAndGet(readingNanos);
            }

            @Override
            public void failed() {}
        })) {
            measured.watch(IntStream.range(0, 8)
                    .mapToObj(i -> new EngineScraper.Target(new Incarnation("m" + i, "1"), engine.url()))
                    .toList());
            await().atMost(Duration.ofSeconds(60)).until(() -> scrapes.get() >= 160);
            long from = scrapes.get();
            long readingFrom = reading.get();
            long cpu = system.getProcessCpuTime();
            await().atMost(Duration.ofSeconds(60)).until(() -> scrapes.get() >= from + 80);
            long counted = scrapes.get() - from;
            log.info(
                    "{} scrapes: {} us each on the page's bytes, {} us CPU each with all else in this process",
                    counted,
                    (reading.get() - readingFrom) / counted / 1_000,
                    (system.getProcessCpuTime() - cpu) / counted / 1_000);
            assertThat(reading.get()).isPositive();
        }
    }

    private EngineScraper.Target target() {
        return new EngineScraper.Target(A, engine.url());
    }

    private EngineScraper scraper(ScrapeListener listener) {
        return new EngineScraper(
                new RouterProperties.Scrape(INTERVAL, Duration.ofSeconds(5)), ledger, ranks, clock, listener);
    }
}
