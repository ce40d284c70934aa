/** The router: decides which decoder serves a request, and follows the operator's intent without depending on Postgres. */
@NullMarked
package io.eldr.router;

import org.jspecify.annotations.NullMarked;
