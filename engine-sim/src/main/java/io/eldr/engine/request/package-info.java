/** What a client asks of a worker, and what comes out: it depends on the request alone. */
@NullMarked
package io.eldr.engine.request;

import org.jspecify.annotations.NullMarked;
