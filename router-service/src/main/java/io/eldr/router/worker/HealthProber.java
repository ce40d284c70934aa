package io.eldr.router.worker;

import io.eldr.router.RouterProperties;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
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
 * Asks workers for their health, each on a virtual thread of its own, and says when an answer changes what is known. A
 * worker is healthy after so many answers of 200 in a row, and no longer after so many failures in a row.
 */
public final class HealthProber implements AutoCloseable {

    /**
     * A worker to ask.
     *
     * @param pool the pool it belongs to, by name
     * @param uid tells incarnations of the slot apart: another one starts unknown
     */
    public record Target(String pool, String slot, String uid, String url) {}

    private static final Logger log = LoggerFactory.getLogger(HealthProber.class);

    private final RouterProperties.Probe settings;
    private volatile Runnable onChange = () -> {};
    private final HttpClient client;
    private final Map<Target, Probe> probes = new ConcurrentHashMap<>();

    public HealthProber(RouterProperties.Probe settings) {
        this.settings = settings;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.timeout())
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /** Whom to call, on a probe's thread, whenever a worker became healthy or ceased to be. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** Asks these workers from now on and no others. */
    public void watch(Collection<Target> targets) {
        Set<Target> wanted = Set.copyOf(targets);
        probes.entrySet().removeIf(entry -> {
            boolean gone = !wanted.contains(entry.getKey());
            if (gone) {
                entry.getValue().stop();
            }
            return gone;
        });
        for (Target target : wanted) {
            probes.computeIfAbsent(target, this::startProbe);
        }
    }

    /** Whether a worker answered well lately; false for one that is not watched. */
    public boolean healthy(Target target) {
        Probe probe = probes.get(target);
        return probe != null && probe.healthy;
    }

    /** Whether a worker that is watched ever answered well. */
    public boolean wasHealthy(Target target) {
        Probe probe = probes.get(target);
        return probe != null && probe.wasHealthy;
    }

    /** Whether each worker that is watched was asked at least once, and answered or had its time. */
    public boolean askedAll() {
        return probes.values().stream().allMatch(probe -> probe.asked);
    }

    private Probe startProbe(Target target) {
        Probe probe = new Probe(target);
        probe.thread.start();
        return probe;
    }

    @Override
    public void close() {
        watch(Set.of());
        client.shutdownNow();
    }

    private final class Probe {
        private final Target target;
        private final Thread thread;
        private volatile boolean healthy;
        private volatile boolean wasHealthy;
        private volatile boolean asked;
        private int inRow;

        private Probe(Target target) {
            this.target = target;
            this.thread = Thread.ofVirtual().name("probe-" + target.slot()).unstarted(this::run);
        }

        void stop() {
            thread.interrupt();
        }

        private void run() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    try {
                        count(ask());
                    } catch (RuntimeException e) {
                        // Whatever went wrong once, the worker must be asked again.
                        log.error("A probe of {} failed; trying again", target, e);
                    }
                    asked = true;
                    Thread.sleep(jittered(settings.interval()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void count(boolean answeredWell) {
            if (answeredWell == healthy) {
                inRow = 0;
                return;
            }
            inRow++;
            if (inRow >= (healthy ? settings.unhealthyThreshold() : settings.healthyThreshold())) {
                healthy = answeredWell;
                wasHealthy |= answeredWell;
                inRow = 0;
                log.info("{} of pool {} is {}", target.slot(), target.pool(), healthy ? "healthy" : "not healthy");
                onChange.run();
            }
        }

        private boolean ask() throws InterruptedException {
            CompletableFuture<HttpResponse<Void>> answer;
            try {
                HttpRequest request = HttpRequest.newBuilder(health(target.url()))
                        .timeout(settings.timeout())
                        .GET()
                        .build();
                answer = client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
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
                log.debug("{} did not answer: {}", target, e.getMessage());
                return false;
            } catch (TimeoutException e) {
                answer.cancel(true);
                return false;
            }
        }
    }

    private static URI health(String url) {
        return URI.create((url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + "/health");
    }

    /** Between 0.9 and 1.1 of it, so that routers do not ask in step. */
    private static Duration jittered(Duration interval) {
        return Duration.ofMillis(
                (long) (interval.toMillis() * ThreadLocalRandom.current().nextDouble(0.9, 1.1)));
    }
}
