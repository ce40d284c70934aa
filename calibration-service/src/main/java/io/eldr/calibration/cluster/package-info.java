/** What the clusters of an artifact version are like, for people who look at them. */
@NullMarked
package io.eldr.calibration.cluster;

import org.jspecify.annotations.NullMarked;
