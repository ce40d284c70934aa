/** What a request did when, for a collector of traces. Off unless a collector is named. */
@NullMarked
package io.eldr.router.tracing;

import org.jspecify.annotations.NullMarked;
