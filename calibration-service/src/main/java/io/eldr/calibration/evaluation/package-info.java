/** The simulator as a service: how policies would do on a pool's samples, before production. */
@NullMarked
package io.eldr.calibration.evaluation;

import org.jspecify.annotations.NullMarked;
