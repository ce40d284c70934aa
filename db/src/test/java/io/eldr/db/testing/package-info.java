/** A real Postgres for the tests of this and other modules. */
@NullMarked
package io.eldr.db.testing;

import org.jspecify.annotations.NullMarked;
