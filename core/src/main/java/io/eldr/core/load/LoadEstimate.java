package io.eldr.core.load;

import java.util.Optional;

/**
 * A decoder's whole load, estimated by one of several routers. Its own reservations are exact; those of the others show in
 * what the engine reports, late. What the router itself did since the report, picks less completions, is taken for what
 * each of R routers did:
 *
 * <pre>load = max(own, reported + R x (own - own when it was asked))</pre>
 *
 * <p>Without a report it is {@code R x own}, an estimate of the same thing: a bare own count beside the totals of other
 * decoders would look idle and draw the traffic of all routers.
 */
final class LoadEstimate {
    private LoadEstimate() {}

    /**
     * @param own this router's in-flight count, 0 or more
     * @param report what the engine said, unless it is too old
     * @param routers R, how many routers there are, this one included; at least 1
     */
    static double of(int own, Optional<EngineReport> report, int routers) {
        if (report.isEmpty()) {
            return (double) routers * own;
        }
        EngineReport said = report.get();
        return Math.max(own, said.requests() + (double) routers * (own - said.ownThen()));
    }
}
