package io.eldr.calibration.drift;

import io.eldr.core.drift.DriftBaseline;
import java.util.List;

/**
 * What windows under an artifact version are compared with.
 *
 * @param slots the slot of each cluster
 */
record Reference(DriftBaseline baseline, List<String> slots) {
    Reference {
        slots = List.copyOf(slots);
    }
}
