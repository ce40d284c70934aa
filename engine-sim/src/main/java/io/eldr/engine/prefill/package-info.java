/** Prompts one after another, with a prefix cache and the signature out of it. */
@NullMarked
package io.eldr.engine.prefill;

import org.jspecify.annotations.NullMarked;
