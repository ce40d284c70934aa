/** Asks a running installation whether it is well. */
@NullMarked
package io.eldr.calibration.check;

import org.jspecify.annotations.NullMarked;
