package io.eldr.core.load;

import io.eldr.core.vector.VectorMath;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the requests on one incarnation are expected to use together: {@code P[l,e] = product of (1 - q_r[l,e])} over them,
 * the probability that an expert is idle in a decode step.
 *
 * <p>The truth is a sum of whole numbers for each expert, {@code -ln P} in units of {@link UseLevels}: reservations add to
 * it and take out the same, so nothing ever has to be corrected, and an empty decoder is exactly idle. P is made anew from
 * the sums at each change. Requests without a prediction of their own, such as those of other routers, stand in the sums
 * with a common {@link UsePattern}.
 *
 * <p>Nobody waits. A change is put into a queue; who finds nobody working on it applies all that is there, everybody else
 * leaves. Decisions read P without any of it: each value is either that before a change or that after, and a mixture of
 * both is as good an estimate as either.
 */
public final class DecoderUse {
    private static final float[] NOTHING = {};

    private final DoubleSupplier load;
    private final ConcurrentLinkedQueue<Change> changes = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Changed only by who works on the changes. */
    private int[] sums = {};

    private int requests;
    private long contextTokens;

    private volatile Optional<UsePattern> others = Optional.empty();
    private volatile Expected expected = new Expected(NOTHING, 0, 0, 0);

    /** A reservation that opened or closed. */
    private record Change(PredictedUse use, boolean opened) {}

    /**
     * What decisions read.
     *
     * @param idle P, L*E values that change in place; empty while nothing is known
     * @param union the sum of {@code 1 - P}
     */
    private record Expected(float[] idle, double union, int requests, long contextTokens) {}

    /** @param load the incarnation's whole load as estimated, those without a prediction included */
    DecoderUse(DoubleSupplier load) {
        this.load = load;
    }

    /** The expected number of active experts in a step, summed over layers. */
    public double union() {
        return expected.union();
    }

    /** How many requests came with a prediction of their own. */
    public int requests() {
        return expected.requests();
    }

    /** The context of these, in tokens. */
    public long contextTokens() {
        return expected.contextTokens();
    }

    /**
     * How many more experts are expected to be active in a step if a request joins: {@code M = sum of P q}.
     *
     * @param use q of the request, L*E values
     * @param total their sum, which is M while nothing of this shape is known
     */
    public double added(float[] use, double total) {
        float[] idle = expected.idle();
        return idle.length == use.length ? VectorMath.dot(idle, use) : total;
    }

    /** The probability that an expert is idle in a step; 1 while nothing is known. */
    public double idle(int cell) {
        float[] idle = expected.idle();
        return cell < idle.length ? idle[cell] : 1;
    }

    void open(PredictedUse use) {
        changes.add(new Change(use, true));
        work();
    }

    /** @param use what {@link #open} was called with */
    void close(PredictedUse use) {
        changes.add(new Change(use, false));
        work();
    }

    /** Says what requests use of which nothing else is known. */
    void others(Optional<UsePattern> pattern) {
        others = pattern;
        work();
    }

    /** Takes in that the estimate of the load changed. */
    void loadChanged() {
        if (others.isPresent()) {
            work();
        }
    }

    private void work() {
        if (waiting.getAndIncrement() != 0) {
            return;
        }
        int done = 1;
        while (done != 0) {
            @Nullable Change change = changes.poll();
            while (change != null) {
                apply(change);
                change = changes.poll();
            }
            publish();
            done = waiting.addAndGet(-done);
        }
    }

    private void apply(Change change) {
        PredictedUse use = change.use();
        requests += change.opened() ? 1 : -1;
        contextTokens += change.opened() ? use.contextTokens() : -use.contextTokens();
        if (use.cells() != sums.length) {
            // Of another model than those before: it counts, but what it uses cannot be added to theirs.
            if (requests > 1 || !change.opened()) {
                return;
            }
            sums = new int[use.cells()];
        }
        if (change.opened()) {
            use.addTo(sums);
        } else {
            use.takeFrom(sums);
        }
    }

    private void publish() {
        if (requests == 0 && others.isPresent() && others.get().cells() != sums.length) {
            sums = new int[others.get().cells()];
        }
        float[] idle = expected.idle().length == sums.length ? expected.idle() : new float[sums.length];
        Optional<UsePattern> pattern = others.filter(known -> known.cells() == sums.length);
        double unknown = pattern.isPresent() ? Math.max(0, load.getAsDouble() - requests) : 0;
        if (unknown > 0) {
            fill(idle, pattern.get(), unknown);
        } else {
            for (int i = 0; i < idle.length; i++) {
                idle[i] = UseLevels.idle(sums[i]);
            }
        }
        double sum = 0;
        for (float value : idle) {
            sum += value;
        }
        expected = new Expected(idle, idle.length - sum, requests, contextTokens);
    }

    private void fill(float[] idle, UsePattern pattern, double unknown) {
        int scaled = (int) Math.min(unknown * UsePattern.PARTS, Short.MAX_VALUE);
        for (int i = 0; i < idle.length; i++) {
            idle[i] = UseLevels.idle(sums[i] + scaled * pattern.parts(i) / (UsePattern.PARTS * UsePattern.PARTS));
        }
    }
}
