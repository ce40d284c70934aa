package io.eldr.router.pool;

import io.eldr.core.load.Incarnation;
import io.eldr.router.discovery.KnownWorker;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.worker.WorkerState;

/**
 * A worker with what this router makes of it.
 *
 * @param eligible whether decisions may choose it: READY, or EJECTED and on trial
 * @param source how it came to be known
 */
public record WorkerView(WorkerIntent worker, WorkerState state, boolean eligible, KnownWorker.Source source) {

    /** Whose loads and reservations these are. */
    public Incarnation incarnation() {
        return new Incarnation(worker.slot(), worker.uid());
    }
}
