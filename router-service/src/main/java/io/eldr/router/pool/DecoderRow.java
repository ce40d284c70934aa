package io.eldr.router.pool;

import java.util.OptionalInt;

/**
 * A decoder in the order of a snapshot, small enough to be kept with what was decided on it.
 *
 * @param cluster the one that stands for it; empty without an artifact
 */
public record DecoderRow(String id, OptionalInt cluster) {}
