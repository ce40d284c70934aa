/** Worker slots as declared, and their incarnations as routers see them. */
@NullMarked
package io.eldr.db.worker;

import org.jspecify.annotations.NullMarked;
