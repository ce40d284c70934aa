package io.eldr.core.calibration;

import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether locality routing is worth enabling for a pool, as far as held-out requests tell.
 *
 * @param worthEnabling absent where it is not known
 * @param reasons why, with the figures
 */
public record WorthVerdict(Optional<Boolean> worthEnabling, List<String> reasons) {
    /** With a lower rho on held-out requests a prompt's distance says too little about decoding. */
    private static final double MIN_RHO = 0.5;

    private static final int LARGEST_DECIDING_BATCH = 32;
    private static final String NOT_WORTH = "locality routing is not worth enabling for this pool: ";

    public WorthVerdict {
        reasons = List.copyOf(reasons);
    }

    /** What is known of the held-out requests. */
    sealed interface HeldOutRho {
        record Known(double rho) implements HeldOutRho {}

        /** All signatures, or all decode patterns, are equally far apart. */
        record Undefined() implements HeldOutRho {}

        /** @param why in the words of a report */
        record Unknown(String why) implements HeldOutRho {}

        static HeldOutRho of(OptionalDouble rho, List<RequestSample> heldOut) {
            if (rho.isPresent()) {
                return new Known(rho.getAsDouble());
            }
            long decoded = heldOut.stream()
                    .filter(sample -> sample.decode().isPresent())
                    .count();
            if (decoded >= 2) {
                return new Undefined();
            }
            return new Unknown(
                    heldOut.isEmpty()
                            ? "nothing was held out to judge on"
                            : decoded + " of the " + heldOut.size() + " held-out requests have decode counts");
        }
    }

    static WorthVerdict of(HeldOutRho rho, Optional<UnionReduction> unions) {
        List<String> against = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        List<String> inFavour = new ArrayList<>();
        judgeRho(rho, against, unknown, inFavour);
        judgeUnions(rho, unions, against, unknown, inFavour);
        if (!against.isEmpty()) {
            return new WorthVerdict(Optional.of(false), against);
        }
        return unknown.isEmpty()
                ? new WorthVerdict(Optional.of(true), inFavour)
                : new WorthVerdict(Optional.empty(), unknown);
    }

    private static void judgeRho(HeldOutRho rho, List<String> against, List<String> unknown, List<String> inFavour) {
        switch (rho) {
            case HeldOutRho.Known(double value)
            when value < MIN_RHO ->
                against.add(NOT_WORTH + String.format(Locale.ROOT, "held-out rho is %.3f, below %.1f", value, MIN_RHO));
            case HeldOutRho.Known(double value) ->
                inFavour.add(String.format(Locale.ROOT, "held-out rho is %.3f", value));
            case HeldOutRho.Undefined() ->
                against.add(NOT_WORTH + "held-out requests are all equally far apart, so nothing tells them apart");
            case HeldOutRho.Unknown(String why) -> unknown.add("not known: " + why);
        }
    }

    private static void judgeUnions(
            HeldOutRho rho,
            Optional<UnionReduction> unions,
            List<String> against,
            List<String> unknown,
            List<String> inFavour) {
        Optional<UnionReduction.Batch> deciding = unions.flatMap(WorthVerdict::deciding);
        if (deciding.isEmpty()) {
            if (!(rho instanceof HeldOutRho.Unknown)) {
                unknown.add("not known: held-out requests are too few to fill batches of 8 in three quarters of the"
                        + " clusters");
            }
            return;
        }
        UnionReduction.Batch batch = deciding.get();
        String figures = String.format(
                Locale.ROOT,
                "batches of %d requests of one cluster load %.2f distinct experts per layer, random ones %.2f: %.1f %%"
                        + " fewer (95 %% interval %.1f to %.1f)",
                batch.batch(),
                batch.grouped(),
                batch.random(),
                batch.reductionPct(),
                batch.low(),
                batch.high());
        if (batch.low() > 0) {
            inFavour.add(figures);
        } else {
            against.add(NOT_WORTH + figures);
        }
    }

    /** The largest that enough clusters fill, as in the gate. */
    private static Optional<UnionReduction.Batch> deciding(UnionReduction unions) {
        return unions.batches().stream()
                .filter(batch -> batch.enough() && batch.batch() <= LARGEST_DECIDING_BATCH)
                .reduce((smaller, larger) -> larger);
    }
}
