package io.eldr.admin.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Recent decisions of a pool and its centroids on a plane, with where requests went that were nearest to a cluster. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(
        description = "Recent decisions of a pool and its centroids on the plane of the centroids' first two principal"
                + " components, gathered from the routers that serve the newest generation")
public record PoolMap(
        String pool,
        long generation,
        @Schema(types = {"integer"}) OptionalInt artifactVersion,

        @Schema(description = "Which part of the centroids' variance lies on each axis, 0 to 1")
        List<Double> explained,

        @Schema(description = "By cluster") List<Centroid> centroids,

        @Schema(description = "Newest first") List<Point> points,

        @Schema(
                description =
                        "Requests nearest to a cluster (row) by the cluster of the decoder that got them (column)")
        List<List<Integer>> spill,

        @Schema(description = "Labels of the requests nearest to each cluster, with their number")
        List<Map<String, Integer>> labels,

        @Schema(description = "Routers whose decisions are missing here, and why")
        List<Missing> missing) {

    /** A cluster's centre. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "MapCentroid")
    public record Centroid(
            int cluster,

            @Schema(description = "The slot that it is bound to")
            String slot,

            double x,
            double y) {}

    /** A decision. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "MapPoint")
    public record Point(
            @Schema(description = "For api/decisions") String requestId,

            Instant at,
            Optional<String> label,
            String decoder,

            @Schema(description = "The nearest cluster") int nearest,

            @Schema(
                    types = {"integer"},
                    description = "The cluster of the decoder that got it")
            OptionalInt cluster,

            @Schema(
                    types = {"number"},
                    description = "Similarity to its decoder's cluster")
            OptionalDouble similarity,

            String reason,
            double x,
            double y) {}

    /** A router that is not part of the answer. */
    @Schema(name = "MissingRouter")
    public record Missing(String instance, String reason) {}
}
