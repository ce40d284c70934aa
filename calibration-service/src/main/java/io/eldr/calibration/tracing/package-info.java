/** What calls and jobs did when, for a collector of traces. Off unless a collector is named. */
@NullMarked
package io.eldr.calibration.tracing;

import org.jspecify.annotations.NullMarked;
