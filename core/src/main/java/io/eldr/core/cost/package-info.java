/** How long a worker takes: the step-time model of a decoder, and what prefill and handoff cost beside it. */
@NullMarked
package io.eldr.core.cost;

import org.jspecify.annotations.NullMarked;
