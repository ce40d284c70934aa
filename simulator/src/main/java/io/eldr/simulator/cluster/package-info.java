/** One run: events of a pool of prefill and decode workers behind routers. */
@NullMarked
package io.eldr.simulator.cluster;

import org.jspecify.annotations.NullMarked;
