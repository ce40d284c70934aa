/** Balanced clusters of signatures: seeds, exact assignment under a capacity, spherical K-means, stable labels. */
@NullMarked
package io.eldr.core.clustering;

import org.jspecify.annotations.NullMarked;
