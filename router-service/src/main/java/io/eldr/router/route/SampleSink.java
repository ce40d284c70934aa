package io.eldr.router.route;

/** Where the decode counts of closed requests go. Called on the thread that closed one, so it must not wait. */
interface SampleSink {

    void decoded(DecodedSample sample);

    /** Keeps nothing: what is given to it is lost. */
    static SampleSink none() {
        return sample -> {};
    }
}
