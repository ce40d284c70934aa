package io.eldr.router.intent;

/**
 * Which artifact version a pool is to serve from.
 *
 * @param generation grows with every activation and rollback of the pool
 * @param sha256 of the artifact, in lower-case hex: after Postgres was restored, the same numbers may mean another one
 */
public record Activation(long generation, int version, String sha256) {}
