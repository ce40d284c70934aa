package io.eldr.router.route;

import io.eldr.core.routing.Decision;
import io.eldr.core.routing.Decoder;
import io.eldr.router.pool.DecoderRow;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * A decision with what it was made for. Thousands are kept, so the decoders that the client named are kept as positions,
 * not by the names it sent.
 *
 * @param candidates which of the rows the request might only go to; empty for any
 * @param exclude which of the rows it must not go to
 * @param rows the decoders of the snapshot it was made on
 */
record DecisionRecord(
        String requestId,
        int promptTokens,
        Optional<String> label,
        Optional<BitSet> candidates,
        BitSet exclude,
        boolean signature,
        Instant at,
        Decision.Chosen chosen,
        List<DecoderRow> rows) {

    /** The same after the request went on to a fallback, which was among the rows. */
    DecisionRecord movedTo(Decoder fallback) {
        int index = 0;
        while (!rows.get(index).id().equals(fallback.id())) {
            index++;
        }
        OptionalInt cluster = rows.get(index).cluster();
        boolean similar = cluster.isPresent() && chosen.evaluation().clusters() > 0;
        Decision.Chosen moved = new Decision.Chosen(
                index,
                fallback,
                chosen.fallbacks().stream()
                        .filter(other -> !other.id().equals(fallback.id()))
                        .toList(),
                cluster,
                similar
                        ? OptionalDouble.of(chosen.evaluation().similarity(cluster.getAsInt()))
                        : OptionalDouble.empty(),
                chosen.band(),
                chosen.policy(),
                chosen.reason(),
                chosen.seen(),
                chosen.version(),
                chosen.evaluation());
        return new DecisionRecord(requestId, promptTokens, label, candidates, exclude, signature, at, moved, rows);
    }

    /** The positions of the rows with these names; names of no row are left out. */
    static BitSet positions(Set<String> names, List<DecoderRow> rows) {
        BitSet positions = new BitSet();
        if (!names.isEmpty()) {
            for (int i = 0; i < rows.size(); i++) {
                if (names.contains(rows.get(i).id())) {
                    positions.set(i);
                }
            }
        }
        return positions;
    }

    /** The names of the rows at these positions. */
    Set<String> names(BitSet positions) {
        Set<String> names = new TreeSet<>();
        positions.stream().forEach(i -> names.add(rows.get(i).id()));
        return names;
    }
}
