package io.eldr.router.discovery;

import io.eldr.router.intent.WorkerIntent;

/**
 * A worker with where it is known from.
 *
 * @param serving whether that source says that it can take requests; a probe may still find that it cannot
 */
public record KnownWorker(WorkerIntent worker, boolean serving, Source source) {

    /** Who said that there is such a worker. */
    public enum Source {
        /** An operator, through calibration-service. */
        REGISTERED,
        KUBERNETES
    }

    static KnownWorker registered(WorkerIntent worker) {
        return new KnownWorker(worker, true, Source.REGISTERED);
    }
}
