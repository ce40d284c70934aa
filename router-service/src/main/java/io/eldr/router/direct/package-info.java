/** Requests that are answered on the event loop that read them, before the web framework (ADR 0013). */
@NullMarked
package io.eldr.router.direct;

import org.jspecify.annotations.NullMarked;
