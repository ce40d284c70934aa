package io.eldr.core.routing;

import io.eldr.core.load.LoadView;

/**
 * What a request finds of a pool by one volatile read.
 *
 * @param loads the live loads of the snapshot's decoders, by their position
 */
public record PoolState(PoolSnapshot snapshot, LoadView loads, RoutingPolicy policy) {
    public PoolState {
        if (loads.size() != snapshot.decoders().size()) {
            throw new IllegalArgumentException(loads.size() + " loads for a snapshot of "
                    + snapshot.decoders().size() + " decoders");
        }
    }
}
