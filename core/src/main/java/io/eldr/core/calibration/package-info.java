/** From samples to an artifact: split, choice of representation, mask and tau, centroids, statistics, report. */
@NullMarked
package io.eldr.core.calibration;

import org.jspecify.annotations.NullMarked;
