/** Numeric kernels behind one facade, and the way work is spread over cores without changing its results. */
@NullMarked
package io.eldr.core.vector;

import org.jspecify.annotations.NullMarked;
