/** KV blocks that wait on a prefill worker until a decoder pulls them: used once, under a lease. */
@NullMarked
package io.eldr.engine.transfer;

import org.jspecify.annotations.NullMarked;
