/** Refits: asked for, run as persistent jobs, published. */
@NullMarked
package io.eldr.calibration.refit;

import org.jspecify.annotations.NullMarked;
