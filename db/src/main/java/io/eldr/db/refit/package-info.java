/** Refit runs and the states they go through. */
@NullMarked
package io.eldr.db.refit;

import org.jspecify.annotations.NullMarked;
