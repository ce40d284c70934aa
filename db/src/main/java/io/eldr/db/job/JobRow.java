package io.eldr.db.job;

/** The row of a piece of long work. */
public interface JobRow {
    long id();

    /** How often it was started; more than once after a crash. */
    int attempts();

    /** Counts the changes of its row. */
    int revision();

    boolean isRunning();

    /** Whether nothing will change any more. */
    boolean isOver();
}
