/** What routers report about themselves. */
@NullMarked
package io.eldr.db.router;

import org.jspecify.annotations.NullMarked;
