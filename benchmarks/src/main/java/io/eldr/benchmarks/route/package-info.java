/** What a decision costs over HTTP: a router in its own JVM, and who sends to it. */
@NullMarked
package io.eldr.benchmarks.route;

import org.jspecify.annotations.NullMarked;
