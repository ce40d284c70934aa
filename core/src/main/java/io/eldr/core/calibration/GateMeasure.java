package io.eldr.core.calibration;

/** What tells how alike the requests of a group are, whatever space an artifact's signatures live in. */
public enum GateMeasure {
    /** Mean distinct experts per layer in batches of one group's requests: lower is better. */
    UNION("union"),
    /** Mean cosine of a request's plain prompt counts to those of the rest of its group: higher is better. */
    COSINE("cosine");

    private final String id;

    GateMeasure(String id) {
        this.id = id;
    }

    /** The word in reports. */
    public String id() {
        return id;
    }
}
