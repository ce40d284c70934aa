package io.eldr.calibration.artifact;

import io.eldr.db.artifact.Artifact;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An artifact version as the API shows it.
 *
 * @param sha256 of the binary, in hex
 * @param active whether the pool serves it now
 * @param uncalibrated whether it was made without decode counts and without an earlier calibration
 * @param refit the refit that made it; absent for an import
 * @param report figures of the refit; only where one version is asked for
 */
record ArtifactView(
        String pool,
        int version,
        boolean active,
        String sha256,
        long sizeBytes,
        String model,
        Optional<String> revision,
        int layers,
        int experts,
        int topK,
        String representation,
        List<Integer> mask,
        List<String> slots,
        double recommendedTau,
        boolean uncalibrated,
        Optional<Long> refit,
        Instant createdAt,
        String createdBy,
        Optional<JsonNode> report) {

    static ArtifactView brief(String pool, Artifact artifact, boolean active) {
        var geometry = artifact.model().geometry();
        return new ArtifactView(
                pool,
                artifact.version(),
                active,
                artifact.sha256(),
                artifact.sizeBytes(),
                artifact.model().name(),
                Optional.of(artifact.model().revision()).filter(revision -> !revision.isEmpty()),
                geometry.layers(),
                geometry.experts(),
                geometry.topK(),
                artifact.representation().id(),
                artifact.mask(),
                artifact.slots(),
                artifact.recommendedTau(),
                artifact.uncalibrated(),
                artifact.refitRunId().isPresent()
                        ? Optional.of(artifact.refitRunId().getAsLong())
                        : Optional.empty(),
                artifact.createdAt(),
                artifact.createdBy(),
                Optional.empty());
    }

    ArtifactView with(Artifact artifact, JsonMapper json) {
        return new ArtifactView(
                pool,
                version,
                active,
                sha256,
                sizeBytes,
                model,
                revision,
                layers,
                experts,
                topK,
                representation,
                mask,
                slots,
                recommendedTau,
                uncalibrated,
                refit,
                createdAt,
                createdBy,
                artifact.report().map(json::readTree));
    }
}
