package io.eldr.core.routing;

import java.util.OptionalLong;

/**
 * What a decision was made on, small enough to be kept with it.
 *
 * @param generation the pool's activation generation, 0 where nothing was ever activated
 * @param artifactVersion empty where there is no artifact
 * @param degraded whether the pool runs on less than it should, such as no artifact or the last good one
 */
public record SnapshotVersion(String pool, long generation, OptionalLong artifactVersion, boolean degraded) {}
