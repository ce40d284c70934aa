package io.eldr.simulator.cluster;

import io.eldr.core.load.LoadUnit;
import io.eldr.core.routing.Decision;

/**
 * Where a router sent a request, and the load that it holds for it.
 *
 * @param worker the decoder's number in the cluster
 */
record Placement(int worker, Decision.Chosen decision, LoadUnit unit) {}
