/** Calibration samples on their way in, and what a pool has of them. */
@NullMarked
package io.eldr.calibration.sample;

import org.jspecify.annotations.NullMarked;
