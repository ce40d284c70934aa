package io.eldr.router.route;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Recent decisions and the centroids that they were made by, on a plane. Fields that do not apply are absent. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(
        name = "DecisionMap",
        description =
                "This router's newest decisions by the artifact that serves, and its centroids, on the plane of the"
                        + " centroids' first two principal components")
record MapAnswer(
        String pool,

        @Schema(description = "The generation that serves; 0 without an artifact, and then nothing below has anything")
        long generation,

        @Schema(types = {"integer"}) OptionalInt artifactVersion,

        @Schema(description = "Which part of the centroids' variance lies on each axis, 0 to 1")
        List<Double> explained,

        @Schema(description = "By cluster") List<MapCentroid> centroids,

        @Schema(description = "Newest first; those of a policy that goes by similarity")
        List<MapPoint> points,

        @Schema(
                description =
                        "Requests nearest to a cluster (row) by the cluster of the decoder that got them (column),"
                                + " over all that is remembered")
        List<List<Integer>> spill,

        @Schema(description = "By cluster, the labels of the requests nearest to it with their number")
        List<Map<String, Integer>> labels) {

    static MapAnswer empty(String pool) {
        return new MapAnswer(pool, 0, OptionalInt.empty(), List.of(), List.of(), List.of(), List.of(), List.of());
    }

    /** A cluster's centre. */
    @Schema(name = "MapCentroid")
    record MapCentroid(
            int cluster,

            @Schema(description = "The slot that it is bound to")
            String slot,

            double x,
            double y) {}

    /** A decision. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "MapPoint")
    record MapPoint(
            String requestId,
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
                    description = "Similarity to the cluster of the decoder that got it")
            OptionalDouble similarity,

            String reason,
            double x,
            double y) {}
}
