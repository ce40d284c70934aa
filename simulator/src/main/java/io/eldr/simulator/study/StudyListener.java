package io.eldr.simulator.study;

/** Hears how far a study is; from several threads. */
@FunctionalInterface
public interface StudyListener {
    /** What a study does first and then. */
    enum Stage {
        FIT("fit"),
        SIMULATE("simulate");

        private final String id;

        Stage(String id) {
            this.id = id;
        }

        /** The name in APIs and logs. */
        public String id() {
            return id;
        }
    }

    /** @param done of {@code total} pieces of the stage */
    void progress(Stage stage, int done, int total);

    static StudyListener none() {
        return (stage, done, total) -> {};
    }
}
