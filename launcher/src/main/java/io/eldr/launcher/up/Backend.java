package io.eldr.launcher.up;

/** What {@code up} puts its router in front of. */
sealed interface Backend {

    /**
     * Two simulated clusters that get the same traffic, one behind each pool.
     *
     * @param rate requests a second to each pool
     */
    record Demo(double rate) implements Backend {}

    /** Nothing yet: no pool, no worker. */
    record Empty() implements Backend {}

    /** Engines that run somewhere already. */
    record Engines(PoolDeclaration pool) implements Backend {}
}
