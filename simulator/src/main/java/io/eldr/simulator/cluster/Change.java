package io.eldr.simulator.cluster;

import io.eldr.core.artifact.RoutingArtifact;

/** Something that happens to a pool while it runs. */
public sealed interface Change {
    /** A decoder dies with all it has: requests whose blocks are still held are pulled by others, the rest starts anew. */
    record Fail(int decoder) implements Change {}

    /** A decoder that died is back, empty. */
    record Return(int decoder) implements Change {}

    /** One more decoder, without a cluster of its own until an artifact names it. */
    record Add() implements Change {}

    /** A decoder finishes what it has and leaves. */
    record Drain(int decoder) implements Change {}

    /** Routers go on with another artifact. */
    record Adopt(RoutingArtifact artifact) implements Change {}

    /**
     * A change and when it happens.
     *
     * @param seconds after the beginning
     */
    record Timed(double seconds, Change change) {}
}
