package io.eldr.calibration.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The clusters of an artifact version. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(name = "Clusters", description = "The clusters of an artifact version")
record ClustersView(
        String pool,
        int version,
        int layers,
        int experts,
        int topK,

        @Schema(description = "The layers that signatures are made of")
        List<Integer> mask,

        @Schema(description = "How many of the pool's newest samples sizes and labels below were counted on")
        int samples,

        List<ClusterView> clusters,

        @Schema(description = "One less the cosine similarity of each pair of centroids, 0 to 2")
        List<List<Double>> distances) {

    /** One of them. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "Cluster")
    record ClusterView(
            int cluster,

            @Schema(description = "The decoder slot that serves it")
            String slot,

            @Schema(
                    description =
                            "What is known of its use of experts: decode counts, its prompts' counts, all requests'"
                                    + " because it has none, or its centroid alone",
                    allowableValues = {"decode", "prompt", "pool", "centroid"})
            String basis,

            @Schema(description = "Requests of the fit that it got under the cap; absent for an import")
            Optional<Integer> fittedRequests,

            @Schema(
                    description =
                            "The share of held-out requests nearest to it, 0 to 1; absent where none were held out")
            Optional<Double> heldOutShare,

            @Schema(description = "How many of the newest samples are nearest to it")
            int sampledRequests,

            @Schema(description = "The labels of these samples with their number, most frequent first, 20 at most")
            Map<String, Integer> labels,

            @Schema(
                    description =
                            "By layer, how far its shares of experts are from those of the other clusters' mean: total"
                                    + " variation distance, 0 to 1; 0 where nothing is known of a layer")
            List<Double> layerContrast,

            @Schema(description = "The experts that it uses more than the others do, those with the largest lead first")
            List<ExpertView> distinctExperts) {}

    /** An expert that sets a cluster apart. */
    @Schema(name = "DistinctExpert")
    record ExpertView(
            int layer,
            int expert,

            @Schema(description = "The probability that a token of the cluster selects it")
            double use,

            @Schema(description = "The mean of that over the other clusters")
            double elsewhere) {}

    /** What a cluster uses, for a heat map. */
    @Schema(name = "ClusterExperts", description = "Which experts a cluster uses")
    record ExpertsView(
            String pool,
            int version,
            int cluster,
            String slot,

            @Schema(allowableValues = {"decode", "prompt", "pool", "centroid"})
            String basis,

            @Schema(description = "The layers of the rows below")
            List<Integer> layers,

            @Schema(description = "By layer and expert, the probability that a token of the cluster selects the expert")
            List<List<Double>> use,

            @Schema(description = "The same for the mean of all clusters")
            List<List<Double>> mean) {}
}
