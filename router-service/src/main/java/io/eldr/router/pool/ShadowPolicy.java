package io.eldr.router.pool;

import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.routing.RoutingPolicy;
import io.eldr.core.routing.ShadowRule;

/**
 * A policy that decides beside the live one.
 *
 * @param snapshot the live one with the shadow's own band
 */
public record ShadowPolicy(ShadowRule rule, RoutingPolicy policy, PoolSnapshot snapshot) {}
