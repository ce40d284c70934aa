/** Immutable routing artifacts, numbered per pool. */
@NullMarked
package io.eldr.db.artifact;

import org.jspecify.annotations.NullMarked;
