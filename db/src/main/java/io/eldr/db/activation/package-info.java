/** The append-only ledger of what a pool serves from when on. */
@NullMarked
package io.eldr.db.activation;

import org.jspecify.annotations.NullMarked;
