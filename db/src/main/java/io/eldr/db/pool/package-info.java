/** Pools: a model, its geometry and how it is routed. */
@NullMarked
package io.eldr.db.pool;

import org.jspecify.annotations.NullMarked;
