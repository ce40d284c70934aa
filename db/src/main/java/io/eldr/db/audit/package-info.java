/** The append-only log of who changed what. */
@NullMarked
package io.eldr.db.audit;

import org.jspecify.annotations.NullMarked;
