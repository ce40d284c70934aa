/** The pools this router serves: one immutable snapshot each, replaced whole on every change. */
@NullMarked
package io.eldr.router.pool;

import org.jspecify.annotations.NullMarked;
