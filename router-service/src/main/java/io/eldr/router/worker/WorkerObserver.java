package io.eldr.router.worker;

/** Takes in how workers stand, whenever that changed. */
public interface WorkerObserver {

    /** A worker was ejected, put on trial or taken back. */
    void workersChanged();
}
