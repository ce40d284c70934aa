package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Decides whether a new artifact may replace the active one. Both group the same requests, each to its nearest cluster, and
 * are compared by what does not depend on the space of their signatures:
 *
 * <ol>
 *   <li>how alike the requests of a group are: the mean union of experts in batches of one group, or the mean cosine of
 *       prompts where too little decoding is known ({@link GateMeasure}). The candidate fails if the 95 % interval of the
 *       difference (paired bootstrap over requests) lies wholly on the worse side;
 *   <li>the share of the requests that the hottest cluster draws. The candidate fails above max(active's, 2/K).
 * </ol>
 *
 * Without an active artifact nothing is refused: what would have failed is a warning.
 */
public final class Gate {
    private final RoutingArtifact candidate;
    private final Optional<RoutingArtifact> active;
    private final Likeness.Requests requests;
    private final List<String> reasons = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private Gate(RoutingArtifact candidate, Optional<RoutingArtifact> active, Likeness.Requests requests) {
        this.candidate = candidate;
        this.active = active;
        this.requests = requests;
    }

    /**
     * Judges on samples of which only decode counts are kept: decode tokens are drawn from these.
     *
     * @param requests that took no part in fitting either artifact
     * @throws io.eldr.core.signature.InvalidInputException naming {@code requests} if one is not of the candidate's shape
     */
    public static GateVerdict judge(
            RoutingArtifact candidate,
            Optional<RoutingArtifact> active,
            List<RequestSample> requests,
            GateRule rule,
            long seed,
            Parallel parallel) {
        DecodeTokens drawn = DecodeTokens.drawn(candidate.model().geometry());
        return judge(candidate, active, requests, rule, drawn, seed, parallel);
    }

    /** Judges on requests whose decode tokens come from {@code tokens}. */
    public static GateVerdict judge(
            RoutingArtifact candidate,
            Optional<RoutingArtifact> active,
            List<RequestSample> requests,
            GateRule rule,
            DecodeTokens tokens,
            long seed,
            Parallel parallel) {
        Geometry geometry = candidate.model().geometry();
        for (RequestSample request : requests) {
            request.prefill().requireShape("requests[" + request.id() + "].prefill", geometry);
            request.decode()
                    .ifPresent(decode -> decode.requireShape("requests[" + request.id() + "].decode", geometry));
        }
        return new Gate(candidate, active, new Likeness.Requests(requests, tokens, seed, parallel)).verdict(rule);
    }

    private GateVerdict verdict(GateRule rule) {
        Optional<RoutingArtifact> comparable = active.filter(
                artifact -> artifact.model().geometry().equals(candidate.model().geometry()));
        Grouping mine = Grouping.by(candidate, requests.samples(), requests.parallel());
        Optional<Grouping> theirs =
                comparable.map(artifact -> Grouping.by(artifact, requests.samples(), requests.parallel()));
        if (active.isPresent() && comparable.isEmpty()) {
            warnings.add("the active artifact is of a model of another shape: only shares can be compared");
        }

        OptionalDouble activeShare = theirs.map(Grouping::hottestShare).orElseGet(this::recordedShare);
        double limit = Math.max(activeShare.orElse(0), 2.0 / candidate.clusters());
        judgeShare(mine, activeShare, limit);

        Optional<Likeness> likeness = rule == GateRule.SHARES_ONLY || (active.isPresent() && comparable.isEmpty())
                ? Optional.empty()
                : likeness(mine, comparable, theirs);
        Optional<PairedBootstrap.Interval> difference = likeness.filter(found -> comparable.isPresent())
                .map(found -> new PairedBootstrap(requests.seed(), requests.parallel())
                        .of(found.values().getFirst(), found.values().getLast(), (c, a) -> c - a));
        if (likeness.isPresent() && difference.isPresent()) {
            judgeLikeness(likeness.get(), difference.get());
        }
        boolean passed = reasons.isEmpty() || active.isEmpty();
        if (passed) {
            warnings.addAll(reasons);
        }
        return new GateVerdict(
                passed,
                rule,
                likeness.map(Likeness::measure),
                likeness.flatMap(Likeness::tokens),
                likeness.map(Likeness::batch).orElse(OptionalInt.empty()),
                known(likeness.map(found -> found.mean(0))),
                known(likeness.filter(found -> comparable.isPresent()).map(found -> found.mean(1))),
                known(difference.map(PairedBootstrap.Interval::low)),
                known(difference.map(PairedBootstrap.Interval::high)),
                mine.hottestShare(),
                activeShare,
                limit,
                requests.samples().size(),
                passed ? List.of() : reasons,
                warnings);
    }

    private void judgeShare(Grouping mine, OptionalDouble activeShare, double limit) {
        OptionalDouble share = mine.hottestShare();
        if (share.isEmpty()) {
            warnings.add(
                    requests.samples().isEmpty()
                            ? "there are no requests to judge on"
                            : "no request has a signature under this artifact, so nothing can be judged");
        } else if (share.getAsDouble() > limit) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "the hottest cluster draws %.1f %% of the requests, more than %.1f %% (%s2/K = %.1f %%)",
                    100 * share.getAsDouble(),
                    100 * limit,
                    activeShare.isPresent()
                            ? String.format(Locale.ROOT, "active artifact %.1f %%, ", 100 * activeShare.getAsDouble())
                            : "",
                    100 * 2.0 / candidate.clusters()));
        }
    }

    private Optional<Likeness> likeness(
            Grouping mine, Optional<RoutingArtifact> comparable, Optional<Grouping> theirs) {
        if (mine.hottestShare().isEmpty()) {
            return Optional.empty();
        }
        List<RoutingArtifact> artifacts = new ArrayList<>(List.of(candidate));
        comparable.ifPresent(artifacts::add);
        List<Grouping> groupings = new ArrayList<>(List.of(mine));
        theirs.ifPresent(groupings::add);
        Likeness found = Likeness.of(artifacts, groupings, requests, warnings);
        for (int i = 0; i < artifacts.size(); i++) {
            if (Double.isNaN(found.mean(i))) {
                warnings.add("no group has two requests, so nothing tells how alike they are");
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }

    private void judgeLikeness(Likeness likeness, PairedBootstrap.Interval difference) {
        boolean worse = switch (likeness.measure()) {
            case UNION -> difference.low() > 0;
            case COSINE -> difference.high() < 0;
        };
        if (worse) {
            String what = switch (likeness.measure()) {
                case UNION ->
                    "distinct experts per layer in batches of "
                            + likeness.batch().orElseThrow();
                case COSINE -> "cosine of prompts within a group";
            };
            reasons.add(String.format(
                    Locale.ROOT,
                    "%s: %.3f with the candidate, %.3f with the active artifact; the difference of %.3f (95 %% interval"
                            + " %.3f to %.3f) is worse beyond chance",
                    what,
                    likeness.mean(0),
                    likeness.mean(1),
                    likeness.mean(0) - likeness.mean(1),
                    difference.low(),
                    difference.high()));
        }
    }

    /** What the active artifact's own held-out requests showed, where it cannot be asked about these. */
    private OptionalDouble recordedShare() {
        return active.flatMap(RoutingArtifact::heldOutShares)
                .map(shares -> OptionalDouble.of(Collections.max(shares)))
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble known(Optional<Double> value) {
        return value.isPresent() && !value.get().isNaN() ? OptionalDouble.of(value.get()) : OptionalDouble.empty();
    }
}
