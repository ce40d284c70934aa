package io.eldr.calibration.refit;

import io.eldr.calibration.telemetry.CalibrationMetrics.GateOutcome;
import io.eldr.core.calibration.GateRule;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the gate said of a candidate.
 *
 * @param on which requests it looked at
 * @param reasons why it is not to be published; empty: nothing speaks against it
 * @param warnings what speaks against it without rejecting it
 * @param figures as the core writes them
 */
record Judgement(On on, GateRule rule, List<String> reasons, List<String> warnings, ObjectNode figures) {
    /** Which requests judged. */
    enum On {
        /** The newest, which neither version has seen. */
        NEWEST("newest"),
        /** Those that the fit kept for its last figures. */
        TEST_PART("test-part"),
        /** The fit kept none. */
        NOTHING("nothing");

        private final String word;

        On(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    boolean passed() {
        return reasons.isEmpty();
    }

    String reason() {
        return "the gate: " + String.join("; ", reasons);
    }

    /** @param force whether it is published whatever was said */
    GateOutcome outcome(boolean force) {
        if (on == On.NOTHING) {
            return GateOutcome.NOT_JUDGED;
        }
        if (passed()) {
            return GateOutcome.PASSED;
        }
        return force ? GateOutcome.OVERRIDDEN : GateOutcome.REJECTED;
    }
}
