package io.eldr.core.routing;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.UsePattern;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Everything a decision reads about a pool except its loads: immutable, built off the requests' way and read by one
 * volatile read, so that each decision is made on exactly one state.
 */
public final class PoolSnapshot {
    private static final int UNBOUND = -1;
    /** Never changed. */
    static final BitSet NOBODY = new BitSet();

    private final SnapshotVersion version;
    private final Optional<FoldedCentroids> centroids;
    private final List<Decoder> decoders;
    private final int[] clusters;
    private final boolean[] borrowed;
    private final Map<String, BitSet> decodersOfLabels;
    private final BandRule band;
    private final Optional<FoldedForecast> forecast;

    private PoolSnapshot(
            SnapshotVersion version, Optional<ActiveArtifact> artifact, List<Decoder> decoders, BandRule band) {
        this.version = version;
        this.centroids = artifact.map(ActiveArtifact::centroids);
        this.decoders = List.copyOf(decoders);
        this.band = band;
        this.forecast = Optional.empty();
        this.clusters = new int[decoders.size()];
        this.borrowed = new boolean[decoders.size()];
        for (int i = 0; i < clusters.length; i++) {
            String slot = decoders.get(i).id();
            Optional<ClusterBinding> binding =
                    artifact.flatMap(active -> active.binding().cluster(slot));
            if (artifact.isPresent() && binding.isEmpty()) {
                throw new IllegalArgumentException("decoder " + slot + " is not among those the artifact is bound to");
            }
            clusters[i] = binding.map(ClusterBinding::cluster).orElse(UNBOUND);
            borrowed[i] = binding.map(ClusterBinding::borrowed).orElse(false);
        }
        this.decodersOfLabels =
                artifact.map(active -> positions(active.labels(), decoders)).orElse(Map.of());
    }

    private static Map<String, BitSet> positions(LabelPlacement labels, List<Decoder> decoders) {
        Map<String, BitSet> positions = new HashMap<>();
        for (String label : labels.labels()) {
            BitSet own = new BitSet(decoders.size());
            for (int i = 0; i < decoders.size(); i++) {
                if (labels.slots(label).contains(decoders.get(i).id())) {
                    own.set(i);
                }
            }
            positions.put(label, own);
        }
        return Map.copyOf(positions);
    }

    /**
     * @param generation the pool's activation generation, 0 where nothing was ever activated
     * @param artifact bound to at least these decoders; empty where there is none
     * @param decoders the eligible ones, in a fixed order with distinct slots
     * @param degraded whether the pool runs on less than it should
     */
    public static PoolSnapshot of(
            String pool,
            long generation,
            Optional<ActiveArtifact> artifact,
            List<Decoder> decoders,
            BandRule band,
            boolean degraded) {
        if (decoders.stream().map(Decoder::id).distinct().count() != decoders.size()) {
            throw new IllegalArgumentException("decoders must have distinct slots but are " + decoders);
        }
        OptionalLong artifactVersion =
                artifact.isPresent() ? OptionalLong.of(artifact.get().version()) : OptionalLong.empty();
        return new PoolSnapshot(
                new SnapshotVersion(pool, generation, artifactVersion, degraded), artifact, decoders, band);
    }

    private PoolSnapshot(PoolSnapshot same, BandRule band, Optional<FoldedForecast> forecast) {
        this.version = same.version;
        this.centroids = same.centroids;
        this.decoders = same.decoders;
        this.clusters = same.clusters;
        this.borrowed = same.borrowed;
        this.decodersOfLabels = same.decodersOfLabels;
        this.band = band;
        this.forecast = forecast;
    }

    /** The same pool with another band. */
    public PoolSnapshot withBand(BandRule other) {
        return other.equals(band) ? this : new PoolSnapshot(this, other, forecast);
    }

    /**
     * The same pool with a forecast of what its requests will use: each reservation is to carry it, which takes time and
     * memory, and policy {@code union} goes by it.
     */
    public PoolSnapshot withForecast(Optional<FoldedForecast> other) {
        return new PoolSnapshot(this, band, other);
    }

    /** Present where reservations carry what their requests are expected to use. */
    public Optional<FoldedForecast> forecast() {
        return forecast;
    }

    /** What requests use of which nothing is known but that they are on this decoder. */
    public Optional<UsePattern> pattern(int decoder) {
        return clusters[decoder] == UNBOUND
                ? Optional.empty()
                : forecast.map(known -> known.pattern(clusters[decoder]));
    }

    public SnapshotVersion version() {
        return version;
    }

    public Optional<FoldedCentroids> centroids() {
        return centroids;
    }

    public List<Decoder> decoders() {
        return decoders;
    }

    /** Whose loads a decision reads, in the order of the decoders. */
    public List<Incarnation> incarnations() {
        return decoders.stream().map(Decoder::incarnation).toList();
    }

    public BandRule band() {
        return band;
    }

    /** The cluster that stands for a decoder; empty where there is no artifact. */
    public OptionalInt cluster(int decoder) {
        return clusters[decoder] == UNBOUND ? OptionalInt.empty() : OptionalInt.of(clusters[decoder]);
    }

    int size() {
        return clusters.length;
    }

    Decoder decoder(int index) {
        return decoders.get(index);
    }

    /** The index of the cluster that stands for a decoder, where there is an artifact. */
    int clusterOf(int decoder) {
        return clusters[decoder];
    }

    /** Whether the artifact knows how often which label occurs. */
    boolean knowsLabels() {
        return !decodersOfLabels.isEmpty();
    }

    /** The positions of the decoders that are set aside for a label, not to be changed; empty for one that is not known. */
    BitSet decodersOf(String label) {
        return decodersOfLabels.getOrDefault(label, NOBODY);
    }

    boolean isBorrowed(int decoder) {
        return borrowed[decoder];
    }
}
