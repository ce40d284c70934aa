/** Benchmarks of the method on made-up requests, each part in a JVM of its own. */
@NullMarked
package io.eldr.benchmarks;

import org.jspecify.annotations.NullMarked;
