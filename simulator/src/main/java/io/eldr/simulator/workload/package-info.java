/** What comes in: which requests, when, how long, and which experts their tokens use. */
@NullMarked
package io.eldr.simulator.workload;

import org.jspecify.annotations.NullMarked;
