/** The OpenAI-compatible data plane: prefill, handoff to the decoder that the pool's policy chooses, and the stream. */
@NullMarked
package io.eldr.router.gateway;

import org.jspecify.annotations.NullMarked;
