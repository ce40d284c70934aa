package io.eldr.core.load;

import java.util.OptionalInt;

/**
 * Where a reservation may move to.
 *
 * @param maxInFlight the most requests that the incarnation may have in flight; empty for no limit
 * @param decision what to keep with the reservation there
 */
public record Seat<D>(Incarnation incarnation, OptionalInt maxInFlight, D decision) {}
