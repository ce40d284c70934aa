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
    /** P, L*E values that change in place; empty while nothing is known. */
    private volatile float[] idle = NOTHING;

    private volatile Totals totals = new Totals(0, 0, 0);

    /** A reservation that opened or closed. */
    private record Change(PredictedUse use, boolean opened) {}

    /** @param union the sum of {@code 1 - P} */
    private record Totals(double union, int requests, long contextTokens) {}

    /** @param load the incarnation's whole load as estimated, those without a prediction included */
    DecoderUse(DoubleSupplier load) {
        this.load = load;
    }

    /** The expected number of active experts in a step, summed over layers. */
    public double union() {
        return totals.union();
    }

    /** How many requests came with a prediction of their own. */
    public int requests() {
        return totals.requests();
    }

    /** The context of these, in tokens. */
    public long contextTokens() {
        return totals.contextTokens();
    }

    /**
     * How many more experts are expected to be active in a step if a request joins: {@code M = sum of P q}.
     *
     * @param use q of the request, L*E values
     * @param total their sum, which is M while nothing of this shape is known
     */
    public double added(float[] use, double total) {
        float[] seen = idle;
        return seen.length == use.length ? VectorMath.quickDot(seen, use) : total;
    }

    /** The probability that an expert is idle in a step; 1 while nothing is known. */
    public double idle(int cell) {
        float[] seen = idle;
        return cell < seen.length ? seen[cell] : 1;
    }

    /** The sums, as they are at the moment. */
    int[] units() {
        return sums;
    }

    /** Whether anything is kept of what its requests use. */
    public boolean isKnown() {
        return idle.length > 0;
    }

    /**
     * A copy as it would be without one of the requests that are there. Made beside the changes that go on, so it is an
     * estimate.
     */
    public DecoderUse without(PredictedUse use) {
        DecoderUse copy = new DecoderUse(() -> load.getAsDouble() - 1);
        copy.others = others;
        copy.sums = sums.clone();
        copy.requests = totals.requests();
        copy.contextTokens = totals.contextTokens();
        copy.apply(new Change(use, false));
        for (int i = 0; i < copy.sums.length; i++) {
            copy.sums[i] = Math.max(0, copy.sums[i]);
        }
        copy.publish();
        return copy;
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
        if (!others.equals(pattern)) {
            others = pattern;
            work();
        }
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
        float[] values = idle.length == sums.length ? idle : new float[sums.length];
        Optional<UsePattern> pattern = others.filter(known -> known.cells() == sums.length);
        double unknown = pattern.isPresent() ? Math.max(0, load.getAsDouble() - requests) : 0;
        if (unknown > 0) {
            fill(values, pattern.get(), unknown);
        } else {
            UseLevels.idle(sums, values);
        }
        idle = values;
        totals = new Totals(Math.max(0, values.length - VectorMath.quickSum(values)), requests, contextTokens);
    }

    private void fill(float[] values, UsePattern pattern, double unknown) {
        int scaled = (int) Math.min(unknown * UsePattern.PARTS, Short.MAX_VALUE);
        for (int i = 0; i < values.length; i++) {
            values[i] = UseLevels.idle(sums[i] + scaled * pattern.parts(i) / (UsePattern.PARTS * UsePattern.PARTS));
        }
    }
}
