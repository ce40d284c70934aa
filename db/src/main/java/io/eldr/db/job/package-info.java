/** What the rows of long work have in common. */
@NullMarked
package io.eldr.db.job;

import org.jspecify.annotations.NullMarked;
