/** The program: a whole cluster of simulated vLLM workers in one process. */
@NullMarked
package io.eldr.engine;

import org.jspecify.annotations.NullMarked;
