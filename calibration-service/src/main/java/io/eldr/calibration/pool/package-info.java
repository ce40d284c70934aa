/** Pools and the workers that are declared in them. */
@NullMarked
package io.eldr.calibration.pool;

import org.jspecify.annotations.NullMarked;
