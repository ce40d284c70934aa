package io.eldr.core.routing;

/**
 * The cluster whose centroid stands for a decoder.
 *
 * @param cluster its index in the artifact
 * @param borrowed whether the cluster belongs to another decoder too, because there are more decoders than clusters
 */
public record ClusterBinding(int cluster, boolean borrowed) {}
