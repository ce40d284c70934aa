/** Readers of recorded routing traces, and what calibration and simulation take from them. */
@NullMarked
package io.eldr.core.trace;

import org.jspecify.annotations.NullMarked;
