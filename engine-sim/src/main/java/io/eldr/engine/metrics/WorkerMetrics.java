package io.eldr.engine.metrics;

import io.eldr.engine.request.FinishReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What one life of a worker counts. Times are the model's, so that they do not depend on the machine it is simulated on. */
public final class WorkerMetrics {
    private static final double[] SECONDS = {
        0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0, 240.0, 480.0, 960.0,
        1920.0, 7680.0
    };
    private static final double[] FIRST_TOKEN_SECONDS = {
        0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0,
        160.0, 640.0, 2560.0
    };
    private static final double[] TOKEN_SECONDS = {
        0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0
    };
    private static final double[] TOKENS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000};
    private static final double[] STEP_TOKENS = {1, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384};
    private static final double[] TRANSFER_SECONDS = {
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 5.0
    };
    private static final double[] ONE_TO_TWENTY = {1, 2, 5, 10, 20};

    final Histogram timeToFirstToken = new Histogram(FIRST_TOKEN_SECONDS);
    final Histogram interTokenLatency = new Histogram(TOKEN_SECONDS);
    final Histogram timePerOutputToken = new Histogram(TOKEN_SECONDS);
    final Histogram endToEnd = new Histogram(SECONDS);
    final Histogram queueTime = new Histogram(SECONDS);
    final Histogram inferenceTime = new Histogram(SECONDS);
    final Histogram prefillTime = new Histogram(SECONDS);
    final Histogram decodeTime = new Histogram(SECONDS);
    final Histogram promptTokens = new Histogram(TOKENS);
    final Histogram generationTokens = new Histogram(TOKENS);
    final Histogram maxTokens = new Histogram(TOKENS);
    final Histogram choices = new Histogram(ONE_TO_TWENTY);
    final Histogram stepTokens = new Histogram(STEP_TOKENS);
    final Histogram transferTime = new Histogram(TRANSFER_SECONDS);
    final LongAdder promptTokensTotal = new LongAdder();
    final LongAdder generationTokensTotal = new LongAdder();
    final LongAdder prefixQueries = new LongAdder();
    final LongAdder prefixHits = new LongAdder();
    final LongAdder preemptions = new LongAdder();
    final LongAdder failedTransfers = new LongAdder();
    final LongAdder expiredTransfers = new LongAdder();
    final Map<FinishReason, LongAdder> ended = new EnumMap<>(FinishReason.class);
    private final LongAdder steps = new LongAdder();
    private final LongAdder stepExperts = new LongAdder();
    private final LongAdder stepRequests = new LongAdder();

    public WorkerMetrics() {
        for (FinishReason reason : FinishReason.values()) {
            ended.put(reason, new LongAdder());
        }
    }

    /**
     * A request has come to its end.
     *
     * @param generated how many tokens it generated here
     * @param maxTokens what it was limited to
     * @param prefillSeconds how long its prompt took here; 0 where another worker had it
     * @param tokenSeconds what a token took after the first; 0 where there was no more than one
     */
    public void onEnd(
            FinishReason reason,
            int prompt,
            int generated,
            int maxTokens,
            double seconds,
            double prefillSeconds,
            double tokenSeconds) {
        double decode = tokenSeconds * Math.max(0, generated - 1);
        endedBy(reason);
        promptTokens.observe(prompt);
        generationTokens.observe(generated);
        this.maxTokens.observe(maxTokens);
        choices.observe(1);
        endToEnd.observe(seconds);
        prefillTime.observe(prefillSeconds);
        decodeTime.observe(decode);
        inferenceTime.observe(prefillSeconds + decode);
        queueTime.observe(Math.max(0, seconds - prefillSeconds - decode));
        if (tokenSeconds > 0) {
            timePerOutputToken.observe(tokenSeconds);
        }
    }

    /** A request ended without an answer that counts. */
    public void onAbort() {
        endedBy(FinishReason.ABORT);
    }

    public void onFirstToken(double seconds) {
        timeToFirstToken.observe(seconds);
    }

    public void onStep(double millis, int batch, int activeExperts) {
        steps.increment();
        stepExperts.add(activeExperts);
        stepRequests.add(batch);
        stepTokens.observe(batch);
        interTokenLatency.observe(millis / 1e3, batch);
        generationTokensTotal.add(batch);
    }

    public void onPrefill(int tokens, int cachedTokens) {
        promptTokensTotal.add(tokens);
        prefixQueries.add(tokens);
        prefixHits.add(cachedTokens);
        generationTokensTotal.increment();
    }

    public void onPreemption() {
        preemptions.increment();
    }

    /** KV came from another worker. */
    public void onTransfer(int tokens, double millis) {
        promptTokensTotal.add(tokens);
        transferTime.observe(millis / 1e3);
    }

    public void onFailedTransfer() {
        failedTransfers.increment();
    }

    public void onExpiredTransfer() {
        expiredTransfers.increment();
    }

    public long ended(FinishReason reason) {
        return adder(reason).sum();
    }

    public long steps() {
        return steps.sum();
    }

    /** The distinct experts of every step, summed over layers and steps. */
    public long activeExperts() {
        return stepExperts.sum();
    }

    /** The requests of every step, summed over steps. */
    public long stepRequests() {
        return stepRequests.sum();
    }

    /** The mean over all steps of the distinct experts, summed over layers; 0 before the first. */
    public double meanActiveExperts() {
        long count = steps.sum();
        return count == 0 ? 0 : (double) stepExperts.sum() / count;
    }

    private void endedBy(FinishReason reason) {
        adder(reason).increment();
    }

    private LongAdder adder(FinishReason reason) {
        LongAdder adder = ended.get(reason);
        if (adder == null) {
            throw new IllegalStateException("every reason has its counter");
        }
        return adder;
    }
}
