package io.eldr.router.sample;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.RequestSample;
import io.eldr.router.pool.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** The samples that wait for the next post. When it is full, newer ones are dropped. */
final class SampleQueue implements SampleSink {
    /** The longest id that the calibration service takes. */
    private static final int MAX_ID = 200;

    private final boolean wanted;
    private final BlockingQueue<Waiting> waiting;
    private final SampleMeters meters;

    /**
     * @param wanted whether anybody takes samples
     * @param capacity how many may wait
     */
    SampleQueue(boolean wanted, int capacity, SampleMeters meters) {
        this.wanted = wanted;
        this.waiting = new ArrayBlockingQueue<>(capacity);
        this.meters = meters;
    }

    /** A sample with the name of its pool. */
    record Waiting(String pool, RequestSample sample) {}

    @Override
    public boolean wants(Pool pool, String requestId) {
        return wanted && isAmong(pool.state().intent().samplingRate().orElse(0.0), requestId);
    }

    /** By the id alone, so that every router and every moment draws the same requests. */
    static boolean isAmong(double rate, String requestId) {
        long hash = 0;
        for (int i = 0; i < requestId.length(); i++) {
            hash = mix(hash + requestId.charAt(i));
        }
        return (hash >>> 11) * 0x1.0p-53 < rate;
    }

    /** The finaliser of SplitMix64 with its increment: each bit depends on all. */
    private static long mix(long value) {
        long mixed = value + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    @Override
    public void offer(LiveSample live) {
        RequestSample sample;
        try {
            sample = sample(live);
        } catch (InvalidInputException unfit) {
            meters.count(SampleMeters.Fate.UNFIT, 1);
            return;
        }
        if (!waiting.offer(new Waiting(live.pool().name(), sample))) {
            meters.count(SampleMeters.Fate.DROPPED, 1);
        }
    }

    /** @throws InvalidInputException if the calibration service would refuse it, and with it all of its batch */
    private static RequestSample sample(LiveSample live) {
        if (live.requestId().length() > MAX_ID) {
            throw new InvalidInputException("requestId", "has more than " + MAX_ID + " characters");
        }
        int topK = live.pool().state().intent().model().geometry().topK();
        int promptTokens = tokens("prompt", live.prompt(), topK);
        Optional<ExpertCounts> decoded = live.decoded();
        int decodedTokens = decoded.isPresent() ? tokens("decoded", decoded.get(), topK) : 0;
        return new RequestSample(
                live.requestId(), live.label().orElse(""), promptTokens, live.prompt(), decoded, decodedTokens);
    }

    private static int tokens(String field, ExpertCounts counts, int topK) {
        long tokens = counts.layerSum(0) / topK;
        if (tokens < 1 || tokens > Integer.MAX_VALUE) {
            throw new InvalidInputException(field, "counts no token, or more than there can be");
        }
        counts.requireRowSums(field, tokens, topK);
        return (int) tokens;
    }

    /** Takes out the oldest, so many at most. */
    List<Waiting> take(int most) {
        List<Waiting> taken = new ArrayList<>();
        waiting.drainTo(taken, most);
        return taken;
    }
}
