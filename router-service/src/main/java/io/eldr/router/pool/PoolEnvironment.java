package io.eldr.router.pool;

import io.eldr.core.load.LoadLedger;
import io.eldr.core.routing.StarvationRule;
import io.eldr.router.discovery.WorkerDiscovery;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What all pools of a router share.
 *
 * @param discovery the workers that nobody registered
 * @param starvation when a decoder is relieved; empty: never
 * @param wallClock by which policies take turns, the same as other routers'
 */
public record PoolEnvironment(
        LoadLedger ledger, WorkerDiscovery discovery, Optional<StarvationRule> starvation, InstantSource wallClock) {}
