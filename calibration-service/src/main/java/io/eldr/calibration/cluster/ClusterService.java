package io.eldr.calibration.cluster;

import io.eldr.calibration.cluster.ClustersView.ClusterView;
import io.eldr.calibration.cluster.ClustersView.ExpertView;
import io.eldr.calibration.cluster.ClustersView.ExpertsView;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ClusterContrast;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.placement.PatternBasis;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.artifact.ArtifactRepository;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.pool.Pool;
import io.eldr.db.sample.SampleStore;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads artifact versions for what their clusters are like. */
@Service
class ClusterService {
    private static final int DISTINCT_EXPERTS = 12;
    private static final double DIGITS = 1e4;

    private final PoolDirectory pools;
    private final ArtifactRepository artifacts;
    private final ArtifactStore store;
    private final SampleStore samples;
    private final JsonMapper json;

    ClusterService(
            PoolDirectory pools,
            ArtifactRepository artifacts,
            ArtifactStore store,
            SampleStore samples,
            JsonMapper json) {
        this.pools = pools;
        this.artifacts = artifacts;
        this.store = store;
        this.samples = samples;
        this.json = json;
    }

    /** @param sampled on how many of the newest samples sizes and labels are counted */
    ClustersView clusters(String poolName, int version, int sampled) {
        Pool pool = pools.require(poolName);
        Artifact stored = require(pool, version);
        RoutingArtifact artifact = read(pool, version);
        ClusterContrast contrast = ClusterContrast.of(artifact);
        SampledClusters counted = SampledClusters.of(artifact, samples, pool.id(), sampled);
        List<Integer> fitted = fittedSizes(stored, artifact.clusters());
        return new ClustersView(
                poolName,
                version,
                artifact.spec().layers(),
                artifact.spec().experts(),
                artifact.model().geometry().topK(),
                Arrays.stream(artifact.spec().mask().toArray()).boxed().toList(),
                counted.all(),
                IntStream.range(0, artifact.clusters())
                        .mapToObj(cluster -> cluster(cluster, artifact, contrast, counted, fitted))
                        .toList(),
                rounded(contrast.distances()));
    }

    private static ClusterView cluster(
            int cluster,
            RoutingArtifact artifact,
            ClusterContrast contrast,
            SampledClusters counted,
            List<Integer> fitted) {
        return new ClusterView(
                cluster,
                artifact.slots().get(cluster),
                basis(contrast, cluster),
                fitted.isEmpty() ? Optional.empty() : Optional.of(fitted.get(cluster)),
                artifact.heldOutShares().map(shares -> shares.get(cluster)),
                counted.count(cluster),
                counted.labels(cluster),
                rounded(contrast.layerContrasts(cluster)),
                contrast.distinctExperts(cluster, DISTINCT_EXPERTS).stream()
                        .map(expert -> new ExpertView(
                                expert.layer(), expert.expert(), rounded(expert.use()), rounded(expert.elsewhere())))
                        .toList());
    }

    ExpertsView experts(String poolName, int version, int cluster) {
        Pool pool = pools.require(poolName);
        RoutingArtifact artifact = read(pool, version);
        if (cluster < 0 || cluster >= artifact.clusters()) {
            throw Problems.exception(
                    ProblemType.NOT_FOUND,
                    "Version " + version + " has the clusters 0 to " + (artifact.clusters() - 1) + ".");
        }
        ClusterContrast contrast = ClusterContrast.of(artifact);
        List<Integer> layers = IntStream.range(0, artifact.spec().layers())
                .filter(contrast::knows)
                .boxed()
                .toList();
        return new ExpertsView(
                poolName,
                version,
                cluster,
                artifact.slots().get(cluster),
                basis(contrast, cluster),
                layers,
                layers.stream()
                        .map(layer -> rounded(contrast.use(cluster, layer)))
                        .toList(),
                layers.stream().map(layer -> rounded(contrast.meanUse(layer))).toList());
    }

    private Artifact require(Pool pool, int version) {
        return artifacts.findByPoolIdAndVersion(pool.id(), version).orElseThrow(() -> unknown(pool, version));
    }

    private RoutingArtifact read(Pool pool, int version) {
        return ArtifactCodec.decode(store.content(pool.id(), version)
                .orElseThrow(() -> unknown(pool, version))
                .bytes());
    }

    private static RuntimeException unknown(Pool pool, int version) {
        return Problems.exception(
                ProblemType.NOT_FOUND, "The pool '" + pool.name() + "' has no version " + version + ".");
    }

    /** Empty where the version was not fitted here. */
    private List<Integer> fittedSizes(Artifact stored, int clusters) {
        Optional<JsonNode> sizes = stored.report()
                .map(json::readTree)
                .map(report -> report.path("clusterSizes"))
                .filter(list -> list.size() == clusters);
        return sizes.map(list -> list.valueStream().map(size -> size.asInt(0)).toList())
                .orElse(List.of());
    }

    private static String basis(ClusterContrast contrast, int cluster) {
        return contrast.basis(cluster).map(PatternBasis::id).orElse("centroid");
    }

    private static double rounded(double value) {
        return Math.round(value * DIGITS) / DIGITS;
    }

    private static List<Double> rounded(double[] values) {
        return Arrays.stream(values).map(ClusterService::rounded).boxed().toList();
    }

    private static List<List<Double>> rounded(double[][] values) {
        List<List<Double>> rows = new ArrayList<>();
        for (double[] row : values) {
            rows.add(rounded(row));
        }
        return rows;
    }
}
