/** What a worker counts, and vLLM's page of it. */
@NullMarked
package io.eldr.engine.metrics;

import org.jspecify.annotations.NullMarked;
