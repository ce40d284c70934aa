package io.eldr.launcher.simulate;

import io.eldr.launcher.console.Console;
import io.eldr.simulator.study.StudyListener;

/** Tells the console how far a study is, now and then. */
final class StudyLog implements StudyListener {
    private static final long NANOS_BETWEEN = 5_000_000_000L;

    private final Console console;
    private long last;

    StudyLog(Console console) {
        this.console = console;
        this.last = System.nanoTime();
    }

    @Override
    public synchronized void progress(Stage stage, int done, int total) {
        long now = System.nanoTime();
        if (now - last >= NANOS_BETWEEN) {
            last = now;
            console.log("simulate: " + stage.id() + " " + done + " of " + total);
        }
    }
}
