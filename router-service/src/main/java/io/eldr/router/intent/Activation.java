package io.eldr.router.intent;

/**
 * Which artifact version a pool is to serve from.
 *
 * @param generation grows with every activation and rollback of the pool
 */
public record Activation(long generation, int version) {}
