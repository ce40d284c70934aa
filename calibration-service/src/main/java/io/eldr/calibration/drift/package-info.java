/** Whether pools drift: takes what routers observe, compares it with held-out requests, and raises alarms. */
@NullMarked
package io.eldr.calibration.drift;

import org.jspecify.annotations.NullMarked;
