package io.eldr.engine.fault;

import java.time.Duration;

/** An order to go wrong. */
public sealed interface FaultCommand {
    /**
     * For the next requests, or for all until {@link Clear}.
     *
     * @param requests how many
     */
    record ForRequests(RequestFault fault, int requests) implements FaultCommand {}

    /** Connections are refused for a while; those that are open stay. */
    record Refuse(Duration time) implements FaultCommand {}

    /**
     * Everything breaks off, connections are refused for a while, and then another incarnation starts, empty.
     *
     * @param slowStart how long it is not ready after that
     */
    record Crash(Duration down, Duration slowStart) implements FaultCommand {}

    /** For a while, health and requests are answered with 503, as while weights are loaded. */
    record Unready(Duration time) implements FaultCommand {}

    /** From now on, connections are closed that are idle for so long. */
    record KeepAlive(Duration idle) implements FaultCommand {}

    /** The leases of all KV blocks that no decoder has claimed end now. */
    record Expire() implements FaultCommand {}

    /** Nothing goes wrong any more. */
    record Clear() implements FaultCommand {}
}
