package io.eldr.core.routing;

/** Why a decoder was chosen. */
public enum Reason {
    /** It is the one with the highest similarity. */
    NEAREST("nearest"),
    /** It is in the band, and less loaded than the nearest. */
    BAND("band"),
    /** It is outside the band, but among the fewest candidates that there must be, and less loaded than the nearest. */
    MIN_CANDIDATES("min-candidates"),
    /**
     * It is outside the band, all of which is hot, or it stood idle for long while others queued ({@link StarvationWatch}).
     */
    WIDENED("widened"),
    /** It stands in with the centroid of a cluster that another decoder owns. */
    BORROWED_CENTROID("borrowed-centroid"),
    /** The request has no signature, or one that is zero: least loaded of all. */
    NO_SIGNATURE("no-signature"),
    /** The counts have another shape than the artifact's model: least loaded of all. */
    INCOMPATIBLE_SIGNATURE("incompatible-signature"),
    /** The pool has no artifact, or none that says what policy {@code union} goes by: least loaded of all. */
    NO_ARTIFACT("no-artifact"),
    /** The policy of this name chose it. */
    RANDOM("random"),
    /** The policy of this name chose it. */
    ROUND_ROBIN("round-robin"),
    /** The policy of this name chose it, or another that had nothing to go by but load. */
    JSQ("jsq"),
    /** The policy of this name chose it. */
    P2C("p2c"),
    /** The policy of this name chose it: it is one of those set aside for the request's label. */
    DOMAIN("domain"),
    /** The policy of this name chose it: there it costs the least time. */
    UNION("union"),
    /** The artifact was fitted on samples without labels: least loaded of all. */
    NO_LABELS("no-labels");

    private final String id;

    Reason(String id) {
        this.id = id;
    }

    /** The name in APIs and metrics. */
    public String id() {
        return id;
    }
}
