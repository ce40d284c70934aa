package io.eldr.launcher.compare;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Sends each request of a sequence to every pool at the same moment, and times the answers. */
final class Traffic {
    private static final Duration HEAD_PATIENCE = Duration.ofSeconds(60);
    private static final long LONGEST_NAP_NANOS = Duration.ofMillis(100).toNanos();
    /** Whoever is so late, as after the machine slept, does not make up for it by a flood. */
    private static final long LATEST_NANOS = Duration.ofSeconds(1).toNanos();
    /** More are not sent to a pool that does not answer, and count as failed. */
    private static final int MOST_IN_FLIGHT = 2_000;

    private final HttpClient http;
    private final URI completions;
    private final List<Target> targets;
    private final int maxTokens;
    private final double timeScale;
    private final LongSupplier nanoTime;

    /**
     * @param router where the gateway is
     * @param maxTokens how many tokens each request asks for
     * @param timeScale real seconds for each second of the engines' time; measured times are divided by it
     * @param nanoTime as {@link System#nanoTime()}
     */
    Traffic(HttpClient http, URI router, List<Target> targets, int maxTokens, double timeScale, LongSupplier nanoTime) {
        this.http = http;
        this.completions = URI.create(router.toString().replaceAll("/+$", "") + "/v1/completions");
        this.targets = List.copyOf(targets);
        this.maxTokens = maxTokens;
        this.timeScale = timeScale;
        this.nanoTime = nanoTime;
    }

    /** Sends until it is told to stop; what is under way then is left to itself. */
    void run(RequestSequence sequence, BooleanSupplier goOn) throws InterruptedException {
        long start = nanoTime.getAsLong();
        RequestSequence.Arrival next = sequence.next();
        while (goOn.getAsBoolean()) {
            long wait = start + next.at().toNanos() - nanoTime.getAsLong();
            if (wait > 0) {
                Thread.sleep(Duration.ofNanos(Math.min(wait, LONGEST_NAP_NANOS)));
                continue;
            }
            if (-wait > LATEST_NANOS) {
                start -= wait;
            }
            for (Target target : targets) {
                send(target, next);
            }
            next = sequence.next();
        }
    }

    private void send(Target target, RequestSequence.Arrival arrival) {
        Window window = target.window();
        window.sent();
        if (window.inFlight() > MOST_IN_FLIGHT) {
            window.failed();
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(completions)
                .timeout(HEAD_PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(RequestBody.of(target.pool(), arrival.request(), maxTokens)))
                .build();
        var _ = http.sendAsync(request, head -> new StreamMeter(nanoTime))
                .whenComplete((response, failure) -> ended(window, response));
    }

    /** @param response nothing where the request failed */
    private void ended(Window window, @Nullable HttpResponse<StreamMeter.Timing> response) {
        if (response != null && response.statusCode() == 200 && response.body().whole()) {
            window.completed(nanoTime.getAsLong(), response.body().tpotMillis() / timeScale);
        } else {
            window.failed();
        }
    }
}
