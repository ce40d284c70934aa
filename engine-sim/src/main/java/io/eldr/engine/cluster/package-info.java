/** The workers of a cluster, each on a port of its own. */
@NullMarked
package io.eldr.engine.cluster;

import org.jspecify.annotations.NullMarked;
