/** The routing artifact: everything a router needs to route by expert locality, immutable and validated whole. */
@NullMarked
package io.eldr.core.artifact;

import org.jspecify.annotations.NullMarked;
