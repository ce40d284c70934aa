package io.eldr.simulator.cluster;

/** How routers come to know which experts a request will use. */
public enum UseSource {
    /** No policy asks. */
    NONE,
    /** From its prompt, as the artifact foretells it: what a router can do. */
    FORECAST,
    /** From the recording: what no router can do, and so the most that a better forecast could give. */
    TRUTH
}
