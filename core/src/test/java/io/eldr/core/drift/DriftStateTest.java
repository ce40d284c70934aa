package io.eldr.core.drift;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DriftStateTest {
    private static final DriftThresholds THRESHOLDS = DriftThresholds.DEFAULT;

    @Test
    void onlyThreeDriftedWindowsInARowRaiseTheAlarm() {
        assertThat(after(true, true).alarm()).isFalse();
        assertThat(after(true, true, false, true, true).alarm()).isFalse();
        assertThat(after(true, true, true).alarm()).isTrue();
        assertThat(after(false, true, true, true).alarm()).isTrue();
    }

    @Test
    void onlyThreeCalmWindowsInARowEndIt() {
        assertThat(after(true, true, true, false, false).alarm()).isTrue();
        assertThat(after(true, true, true, false, false, true, false, false).alarm())
                .isTrue();
        assertThat(after(true, true, true, false, false, false).alarm()).isFalse();
        assertThat(after(true, true, true, false, false, false, true, true).alarm())
                .isFalse();
    }

    private static DriftState after(boolean... drifted) {
        DriftState state = DriftState.CALM;
        for (boolean one : drifted) {
            state = state.after(verdict(one), THRESHOLDS);
        }
        return state;
    }

    private static DriftVerdict verdict(boolean drifted) {
        return new DriftVerdict(0.2, 0.1, 0, 0.1, 0.9, 0.9, drifted, false, 0, 0.1, 0.1, 0, 0, 0);
    }
}
