/** Continuous batching: steps as long as the decoder model says, one token for each request of the batch. */
@NullMarked
package io.eldr.engine.decode;

import org.jspecify.annotations.NullMarked;
