package io.eldr.db.refit;

/** Where a refit stands: QUEUED -> RUNNING -> one of the others, or QUEUED -> CANCELLED. */
public enum RefitState {
    QUEUED,
    RUNNING,
    /** It made an artifact. */
    SUCCEEDED,
    /** Its artifact was not good enough, or there was nothing new to fit. */
    REJECTED,
    FAILED,
    CANCELLED;

    /** Whether nothing comes after it. */
    public boolean isFinal() {
        return this != QUEUED && this != RUNNING;
    }
}
