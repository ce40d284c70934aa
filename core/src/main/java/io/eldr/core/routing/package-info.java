/** Where a request is decoded: routing policies that decide on an immutable snapshot of a pool and the loads they see. */
@NullMarked
package io.eldr.core.routing;

import org.jspecify.annotations.NullMarked;
