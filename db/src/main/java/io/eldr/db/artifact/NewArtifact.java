package io.eldr.db.artifact;

import io.eldr.core.artifact.RoutingArtifact;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An artifact that has no version yet.
 *
 * @param artifact what the content holds, for the columns that can be asked about without reading it
 * @param uncalibrated whether it was made without decode counts and without an earlier calibration
 * @param report figures of the refit, a JSON object
 * @param refitRunId the refit that made it; empty for an import
 * @param createdBy who asked for it
 */
public record NewArtifact(
        RoutingArtifact artifact,
        ArtifactContent content,
        boolean uncalibrated,
        Optional<String> report,
        OptionalLong refitRunId,
        String createdBy) {}
