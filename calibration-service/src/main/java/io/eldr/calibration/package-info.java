/** The calibration service: the writer of all intent. */
@NullMarked
package io.eldr.calibration;

import org.jspecify.annotations.NullMarked;
