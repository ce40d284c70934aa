package io.eldr.router.policy;

import io.eldr.core.routing.PolicyName;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.ServedState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The figures of trials as gauges: of pools that have one, and of no others. */
final class PolicyMeters {

    private final Shadows shadows;
    private final Switchbacks switchbacks;
    private final MultiGauge agreement;
    private final MultiGauge similarity;
    private final MultiGauge price;
    private final MultiGauge load;
    private final MultiGauge decisions;
    private final MultiGauge tpot;

    PolicyMeters(MeterRegistry registry, Shadows shadows, Switchbacks switchbacks) {
        this.shadows = shadows;
        this.switchbacks = switchbacks;
        agreement = gauge(registry, "eldr.router.shadow.agreement", "Share of decisions in which both chose the same");
        similarity = gauge(
                registry,
                "eldr.router.shadow.similarity.difference",
                "Mean similarity to the shadow's decoder less that to the live one's");
        price = gauge(
                registry,
                "eldr.router.shadow.price.difference.milliseconds",
                "Mean predicted cost of requests on the shadow's decoder less that on the live one's");
        load = gauge(
                registry,
                "eldr.router.shadow.load.difference",
                "Mean load of the shadow's decoder less that of the live one's");
        decisions = gauge(registry, "eldr.router.shadow.decisions", "Decisions that the shadow made too");
        tpot = gauge(
                registry,
                "eldr.router.switchback.tpot.milliseconds",
                "Median over windows of the time per output token under a policy");
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    /**
     * Rows read their trials when they are asked, and rows that are there stay: one that is taken away and made again could be
     * met twice by who reads the page meanwhile.
     */
    void update(Collection<Pool> pools) {
        List<MultiGauge.Row<?>> agreements = new ArrayList<>();
        List<MultiGauge.Row<?>> similarities = new ArrayList<>();
        List<MultiGauge.Row<?>> prices = new ArrayList<>();
        List<MultiGauge.Row<?>> loads = new ArrayList<>();
        List<MultiGauge.Row<?>> counts = new ArrayList<>();
        List<MultiGauge.Row<?>> tpots = new ArrayList<>();
        for (Pool pool : pools) {
            ServedState state = pool.state();
            trialOf(state).ifPresent(trial -> {
                Tags tags = Tags.of(
                        "pool", pool.name(),
                        "policy", trial.live().id(),
                        "shadow", trial.rule().policy().id());
                agreements.add(row(tags, pool, ShadowTrial::agreement));
                similarities.add(row(tags, pool, ShadowTrial::meanSimilarityDifference));
                prices.add(row(tags, pool, ShadowTrial::meanPriceDifference));
                loads.add(row(tags, pool, ShadowTrial::meanLoadDifference));
                counts.add(row(tags, pool, ShadowTrial::decisions));
            });
            if (state.intent().switchback().isPresent()) {
                switchbacks.trial(pool.name()).ifPresent(trial -> {
                    for (PolicyName policy :
                            List.of(trial.rule().first(), trial.rule().second())) {
                        tpots.add(MultiGauge.Row.of(
                                Tags.of("pool", pool.name(), "policy", policy.id()),
                                switchbacks,
                                all -> all.trial(pool.name())
                                        .map(now -> median(now.medians(policy)))
                                        .orElse(Double.NaN)));
                    }
                });
            }
        }
        agreement.register(agreements);
        similarity.register(similarities);
        price.register(prices);
        load.register(loads);
        decisions.register(counts);
        tpot.register(tpots);
    }

    private MultiGauge.Row<?> row(Tags tags, Pool pool, ToDoubleFunction<ShadowTrial> figure) {
        return MultiGauge.Row.of(
                tags, pool, of -> trialOf(of.state()).map(figure::applyAsDouble).orElse(Double.NaN));
    }

    private static double median(double[] windows) {
        return windows.length == 0 ? Double.NaN : Medians.median(windows);
    }

    private Optional<ShadowTrial> trialOf(ServedState state) {
        return state.shadow()
                .flatMap(shadow -> shadows.trial(state.intent().name())
                        .filter(trial -> trial.isOf(state.intent().id(), state.policyName(), shadow.rule())));
    }
}
