package io.eldr.calibration.telemetry;

import io.eldr.db.activation.ActivationKind;
import io.eldr.db.refit.RefitState;
import io.eldr.db.refit.RefitTrigger;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** What is counted and timed. Labels come from closed sets, so that no caller can make series. */
@Component
public class CalibrationMetrics {
    /** What became of a sample that was sent. */
    public enum Intake {
        ACCEPTED,
        DUPLICATE,
        /** A body was refused; it counts as one, its other samples were not looked at. */
        REFUSED
    }

    /** Why a sample was deleted. */
    public enum Deletion {
        /** The pool has enough newer ones. */
        COUNT,
        AGE,
        /** The pool was deleted. */
        POOL
    }

    /** Where an artifact came from. */
    public enum Origin {
        REFIT,
        IMPORT
    }

    /** What became of a candidate at the gate. */
    public enum GateOutcome {
        PASSED,
        REJECTED,
        /** It would have been rejected, but an admin had set force. */
        OVERRIDDEN,
        /** Nothing was held out that could judge it. */
        NOT_JUDGED
    }

    private final MeterRegistry meters;

    CalibrationMetrics(MeterRegistry meters) {
        this.meters = meters;
        // The first failure is an increase only if there was a 0 before.
        for (RefitTrigger trigger : RefitTrigger.values()) {
            refits(RefitState.FAILED, trigger);
        }
    }

    public void samples(Intake outcome, int count) {
        counter("eldr.samples", "Samples that came in, by what became of them", "outcome", label(outcome))
                .increment(count);
    }

    public void deletedSamples(Deletion reason, int count) {
        counter("eldr.samples.deleted", "Samples that were deleted, by why", "reason", label(reason))
                .increment(count);
    }

    /**
     * @param outcome the state that a refit ended in
     * @param trigger what asked for it
     */
    public void refit(RefitState outcome, RefitTrigger trigger, Duration took) {
        refits(outcome, trigger).record(took);
    }

    private Timer refits(RefitState outcome, RefitTrigger trigger) {
        return Timer.builder("eldr.refits")
                .description("How long refits took, by how they ended and what asked for them")
                .tags("outcome", label(outcome), "trigger", label(trigger))
                .register(meters);
    }

    /** @param judgedOn which requests judged, a word of a closed set */
    public void judged(GateOutcome outcome, String judgedOn) {
        counter(
                        "eldr.refits.gate",
                        "Refits that were judged before they were published",
                        "outcome",
                        label(outcome),
                        "judged.on",
                        judgedOn)
                .increment();
    }

    public void published(Origin origin) {
        counter("eldr.artifacts.published", "Versions that were published", "origin", label(origin))
                .increment();
    }

    public void activated(ActivationKind kind) {
        counter("eldr.activations", "Versions that became a pool's active one", "kind", label(kind))
                .increment();
    }

    private Counter counter(String name, String description, String... tags) {
        return Counter.builder(name).description(description).tags(tags).register(meters);
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
