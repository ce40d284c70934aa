package io.eldr.core.routing;

/** Why a decoder was chosen. */
public enum Reason {
    /** It is the one with the highest similarity. */
    NEAREST("nearest"),
    /** It is in the band, and less loaded than the nearest. */
    BAND("band"),
    /** It is outside the band, but among the fewest candidates that there must be, and less loaded than the nearest. */
    MIN_CANDIDATES("min-candidates"),
    /** It stands in with the centroid of a cluster that another decoder owns. */
    BORROWED_CENTROID("borrowed-centroid"),
    /** The request has no signature, or one that is zero: least loaded of all. */
    NO_SIGNATURE("no-signature"),
    /** The counts have another shape than the artifact's model: least loaded of all. */
    INCOMPATIBLE_SIGNATURE("incompatible-signature"),
    /** The pool has no artifact: least loaded of all. */
    NO_ARTIFACT("no-artifact"),
    /** The policy of this name chose it. */
    RANDOM("random"),
    /** The policy of this name chose it. */
    ROUND_ROBIN("round-robin"),
    /** The policy of this name chose it. */
    JSQ("jsq"),
    /** The policy of this name chose it. */
    P2C("p2c");

    private final String id;

    Reason(String id) {
        this.id = id;
    }

    /** The name in APIs and metrics. */
    public String id() {
        return id;
    }
}
