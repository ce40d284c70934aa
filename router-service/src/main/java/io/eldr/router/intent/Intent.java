package io.eldr.router.intent;

import java.util.List;

/**
 * All that operators and calibration want this router to do, read at one moment.
 *
 * @param pools in name order
 */
public record Intent(List<PoolIntent> pools) {
    public static final Intent NONE = new Intent(List.of());

    public Intent {
        pools = List.copyOf(pools);
    }
}
