package io.eldr.router.worker;

import io.eldr.core.load.EngineReport;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.router.RouterProperties;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the metrics of engines over and over, each on a virtual thread of its own, and hands what they say to the ledger's
 * estimate. A report that has become older than {@value #INTERVALS} intervals is taken back: old numbers would draw the
 * traffic of all routers to whoever was idle then.
 */
public final class EngineScraper implements AutoCloseable {

    /** An engine to ask. */
    public record Target(Incarnation incarnation, String url) {}

    private static final Logger log = LoggerFactory.getLogger(EngineScraper.class);
    private static final int INTERVALS = 3;
    private static final long MOST_BYTES = 64L << 20;

    private final RouterProperties.Scrape settings;
    private final LoadLedger ledger;
    private final Ranks ranks;
    private final InstantSource clock;
    private final ScrapeListener listener;
    private final HttpClient client;
    private final Map<Target, Scrape> scrapes = new ConcurrentHashMap<>();
    private final Map<Incarnation, EngineSnapshot> snapshots = new ConcurrentHashMap<>();

    public EngineScraper(
            RouterProperties.Scrape settings,
            LoadLedger ledger,
            Ranks ranks,
            InstantSource clock,
            ScrapeListener listener) {
        this.settings = settings;
        this.ledger = ledger;
        this.ranks = ranks;
        this.clock = clock;
        this.listener = listener;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.timeout())
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /** Asks these engines from now on and no others. */
    public synchronized void watch(Collection<Target> targets) {
        Set<Target> wanted = Set.copyOf(targets);
        scrapes.entrySet().removeIf(entry -> {
            boolean gone = !wanted.contains(entry.getKey());
            if (gone) {
                entry.getValue().stop();
            }
            return gone;
        });
        for (Target target : wanted) {
            scrapes.computeIfAbsent(target, this::startScrape);
        }
    }

    /** What an engine that is asked said last, however long ago. */
    public Optional<EngineSnapshot> snapshot(Incarnation incarnation) {
        return Optional.ofNullable(snapshots.get(incarnation));
    }

    /** Takes back reports that have become too old. To be called several times in an interval. */
    public void takeBackOld() {
        Instant oldest = clock.instant().minus(settings.interval().multipliedBy(INTERVALS));
        snapshots.forEach((incarnation, snapshot) -> {
            if (snapshot.askedAt().isBefore(oldest)) {
                ledger.report(incarnation, Optional.empty());
                ranks.takeBack(incarnation);
            }
        });
    }

    @Override
    public void close() {
        watch(Set.of());
        client.shutdownNow();
    }

    private Scrape startScrape(Target target) {
        Scrape scrape = new Scrape(target);
        scrape.thread.start();
        return scrape;
    }

    private final class Scrape {
        private final Target target;
        private final Thread thread;
        private boolean stopped;
        private boolean answers = true;

        private Scrape(Target target) {
            this.target = target;
            this.thread = Thread.ofVirtual()
                    .name("scrape-" + target.incarnation().slot())
                    .unstarted(this::run);
        }

        synchronized void stop() {
            stopped = true;
            thread.interrupt();
            snapshots.remove(target.incarnation());
            ledger.report(target.incarnation(), Optional.empty());
            ranks.forget(target.incarnation());
        }

        private synchronized void report(EngineLoad load, int own, List<Integer> ownOnRanks, Instant at) {
            if (!stopped) {
                ranks.report(target.incarnation(), load.requestsByRank(), ownOnRanks);
                snapshots.put(target.incarnation(), new EngineSnapshot(load, at));
                ledger.report(target.incarnation(), Optional.of(new EngineReport(load.requests(), own, load.kvUse())));
            }
        }

        private void run() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    long start = System.nanoTime();
                    try {
                        answered(scrape());
                    } catch (RuntimeException e) {
                        // Whatever went wrong once, the engine must be asked again.
                        log.error("The metrics of {} could not be read; trying again", target, e);
                        answered(false);
                    }
                    long rest = jittered(settings.interval()).toNanos() - (System.nanoTime() - start);
                    TimeUnit.NANOSECONDS.sleep(Math.max(rest, 0));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void answered(boolean well) {
            if (!well) {
                listener.failed();
            }
            if (well != answers) {
                answers = well;
                log.info("{} {} metrics", target.incarnation(), well ? "gives" : "gives no");
            }
        }

        private boolean scrape() throws InterruptedException {
            // Counted before the engine is asked: what is picked meanwhile is added twice rather than not at all.
            int own = ledger.inFlight(target.incarnation());
            List<Integer> ownOnRanks = ranks.inFlight(target.incarnation());
            Instant askedAt = clock.instant();
            long start = System.nanoTime();
            Page page = new Page();
            if (!fetch(page)) {
                return false;
            }
            Optional<EngineLoad> load = page.content.end();
            load.ifPresent(said -> {
                listener.scraped(System.nanoTime() - start, page.nanos);
                report(said, own, ownOnRanks, askedAt);
            });
            return load.isPresent();
        }

        private boolean fetch(Page page) throws InterruptedException {
            CompletableFuture<HttpResponse<Void>> answer;
            try {
                HttpRequest request = HttpRequest.newBuilder(metrics(target.url()))
                        .timeout(settings.timeout())
                        .GET()
                        .build();
                answer = client.sendAsync(
                        request,
                        info -> info.statusCode() == 200
                                ? HttpResponse.BodySubscribers.ofByteArrayConsumer(bytes -> bytes.ifPresent(page::feed))
                                : HttpResponse.BodySubscribers.discarding());
            } catch (IllegalArgumentException e) {
                log.debug("{} has no URL that can be asked: {}", target, e.getMessage());
                return false;
            }
            try {
                // The request's own timeout ends with the headers; this one includes the body.
                return answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
                                .statusCode()
                        == 200;
            } catch (ExecutionException e) {
                log.debug("{} gave no metrics: {}", target, e.getMessage());
                return false;
            } catch (TimeoutException e) {
                answer.cancel(true);
                return false;
            }
        }
    }

    /** A page as it arrives, with the time spent on it. */
    private static final class Page {
        private final EnginePage content = new EnginePage();
        private long bytes;
        private long nanos;

        void feed(byte[] next) {
            long start = System.nanoTime();
            bytes += next.length;
            if (bytes > MOST_BYTES) {
                throw new IllegalStateException("the page of metrics has more than " + MOST_BYTES + " bytes");
            }
            content.feed(next);
            nanos += System.nanoTime() - start;
        }
    }

    private static URI metrics(String url) {
        return URI.create((url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + "/metrics");
    }

    /** Between 0.9 and 1.1 of it, so that routers do not ask in step. */
    private static Duration jittered(Duration interval) {
        return Duration.ofNanos(
                (long) (interval.toNanos() * ThreadLocalRandom.current().nextDouble(0.9, 1.1)));
    }
}
