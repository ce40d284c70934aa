package io.eldr.router.gateway;

import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.pool.ServedState;
import io.eldr.router.pool.WorkerView;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which workers may serve one request together. Only the model revision that made a prompt's state can read it, so prefill
 * and decode worker are never of two, as they would be while a pool is upgraded. A worker that does not say what it runs
 * fits any.
 */
final class Revisions {
    private Revisions() {}

    /** Whether a decode worker can take over what a prefill worker made, and may be given this request. */
    static boolean isDecodable(ServedState state, WorkerIntent prefiller, Set<String> failedDecoders) {
        return state.decoders().stream()
                .filter(WorkerView::eligible)
                .map(WorkerView::worker)
                .anyMatch(decoder -> fit(prefiller, decoder) && !failedDecoders.contains(decoder.slot()));
    }

    /** Slots of the decode workers that cannot read what a prefill worker made. */
    static Set<String> misfits(ServedState state, WorkerIntent prefiller) {
        return revision(prefiller).isEmpty()
                ? Set.of()
                : state.decoders().stream()
                        .map(WorkerView::worker)
                        .filter(decoder -> !fit(prefiller, decoder))
                        .map(WorkerIntent::slot)
                        .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean fit(WorkerIntent prefiller, WorkerIntent decoder) {
        Optional<String> made = revision(prefiller);
        Optional<String> reads = revision(decoder);
        return made.isEmpty() || reads.isEmpty() || made.equals(reads);
    }

    private static Optional<String> revision(WorkerIntent worker) {
        return worker.revision().filter(revision -> !revision.isEmpty());
    }
}
