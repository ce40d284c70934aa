/** What the service counts and times. */
@NullMarked
package io.eldr.calibration.telemetry;

import org.jspecify.annotations.NullMarked;
