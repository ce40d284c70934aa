/** Processes that are measured: how they are started, and what they use. */
@NullMarked
package io.eldr.benchmarks.process;

import org.jspecify.annotations.NullMarked;
