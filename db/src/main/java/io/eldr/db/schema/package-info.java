/** The Flyway schema: migrating it, and waiting for it. */
@NullMarked
package io.eldr.db.schema;

import org.jspecify.annotations.NullMarked;
