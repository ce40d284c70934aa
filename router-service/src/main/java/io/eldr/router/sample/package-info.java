/** Which finished requests become samples for the next refit, and how they get to the calibration service. */
@NullMarked
package io.eldr.router.sample;

import org.jspecify.annotations.NullMarked;
