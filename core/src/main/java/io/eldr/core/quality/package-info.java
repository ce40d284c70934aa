/** How well a signature foretells decode activations: rank correlation, rho, and the greedy choice of layers. */
@NullMarked
package io.eldr.core.quality;

import org.jspecify.annotations.NullMarked;
