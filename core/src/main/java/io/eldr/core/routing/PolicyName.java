package io.eldr.core.routing;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The policies there are. */
public enum PolicyName {
    /** By expert locality: least loaded among the most similar. */
    ELDR("eldr"),
    RANDOM("random"),
    ROUND_ROBIN("round-robin"),
    /** Join the shortest queue: least loaded of all. */
    JSQ("jsq"),
    /** Power of two choices: the less loaded of two drawn at random. */
    P2C("p2c"),
    /** By the label the client gives: least loaded of the decoders that calibration sets aside for it. */
    DOMAIN("domain"),
    /** Where the request costs everybody the least time, by the experts that it is expected to use. */
    UNION("union");

    private final String id;

    PolicyName(String id) {
        this.id = id;
    }

    /** The name in APIs and metrics. */
    public String id() {
        return id;
    }

    /** A policy of this name for one pool; it may be shared by threads. */
    public RoutingPolicy create() {
        return switch (this) {
            case ELDR -> new EldrPolicy();
            case RANDOM -> new RandomPolicy();
            case ROUND_ROBIN -> new RoundRobinPolicy();
            case JSQ -> new JsqPolicy();
            case P2C -> new P2cPolicy();
            case DOMAIN -> new DomainPolicy();
            case UNION -> new UnionPolicy();
        };
    }

    /** Whether it decides by what calibration found, so that without an artifact it is less than it should be. */
    public boolean needsArtifact() {
        return this == ELDR || this == DOMAIN || this == UNION;
    }

    /** Whether reservations have to carry what their requests are expected to use. */
    public boolean needsUse() {
        return this == UNION;
    }

    /** @throws InvalidInputException naming {@code field} if no policy has this name */
    public static PolicyName of(String field, String id) {
        return Arrays.stream(values())
                .filter(policy -> policy.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(
                        field,
                        "must be one of "
                                + Arrays.stream(values()).map(PolicyName::id).collect(Collectors.joining(", "))
                                + " but is '" + id + "'"));
    }
}
