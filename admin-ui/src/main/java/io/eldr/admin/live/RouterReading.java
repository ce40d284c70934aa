package io.eldr.admin.live;

import java.util.List;

/** What a router says of all its pools. */
record RouterReading(List<PoolReading> pools) {
    RouterReading {
        pools = List.copyOf(pools);
    }

    /** One of them. */
    record PoolReading(
            RouterAnswers.Pool pool,
            RouterAnswers.Decoders detail,
            RouterAnswers.Prefillers prefillers,
            RouterAnswers.Clients clients) {}
}
