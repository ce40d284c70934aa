package io.eldr.db.sample;

/**
 * What became of a batch of samples.
 *
 * @param accepted how many are stored now that were not before
 * @param duplicates how many had a request id that the pool, or the batch, held already; the first one stays
 */
public record Intake(int accepted, int duplicates) {}
