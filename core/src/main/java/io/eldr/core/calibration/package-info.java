/** Calibration: from samples to a routing artifact and a report on how good it is. */
@NullMarked
package io.eldr.core.calibration;

import org.jspecify.annotations.NullMarked;
