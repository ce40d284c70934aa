/** How values of the language become columns and come back. */
@NullMarked
package io.eldr.db.mapping;

import org.jspecify.annotations.NullMarked;
