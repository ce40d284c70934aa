package io.eldr.core.routing;

import java.util.List;

/**
 * The decoders among which the least loaded was chosen.
 *
 * @param tau how far below the best similarity it reached
 * @param members in the snapshot's order, so by cluster where each cluster has one decoder
 */
public record Band(double tau, List<Member> members) {
    public Band {
        members = List.copyOf(members);
    }

    /**
     * @param index its position in the snapshot
     * @param load its load when the decision was made, in requests
     */
    public record Member(int index, Decoder decoder, int cluster, double similarity, double load) {}
}
