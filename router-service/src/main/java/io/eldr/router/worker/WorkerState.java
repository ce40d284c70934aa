package io.eldr.router.worker;

/** What a worker is to this router. Only READY gets traffic. */
public enum WorkerState {
    /** Registered, and not yet seen healthy or of another model revision than the pool serves. */
    PENDING,
    READY,
    /** Failed probes, or request after request: this router's own observation. Gets nothing but a single trial. */
    EJECTED,
    /** Finishes what runs. */
    DRAINING,
    /** No longer registered; shown until what runs has ended. */
    GONE
}
