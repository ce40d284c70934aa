package io.eldr.calibration.evaluation;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.ArrivalTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The arrival traces that an operator of the service has put into a folder, by the names of their files. */
@Component
class ArrivalFolder {
    private static final String FIELD = "arrivals";

    private final String folder;

    ArrivalFolder(CalibrationProperties properties) {
        this.folder = properties.evaluation().arrivals();
    }

    /**
     * @param name of a file in the folder, or poisson
     * @return empty for poisson
     * @throws InvalidInputException naming {@code arrivals}
     */
    Optional<ArrivalTrace> read(String name) {
        if (name.equals(EvaluationOptions.POISSON)) {
            return Optional.empty();
        }
        if (folder.isEmpty()) {
            throw new InvalidInputException(
                    FIELD,
                    "must be poisson: this service has no arrival traces (eldr.calibration.evaluation.arrivals is not"
                            + " set)");
        }
        if (!name.matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")
                || !Files.isRegularFile(Path.of(folder).resolve(name))) {
            throw new InvalidInputException(FIELD, "must be poisson or a file of this service's folder of traces");
        }
        try {
            return Optional.of(ArrivalTrace.read(Path.of(folder).resolve(name)));
        } catch (InvalidInputException refused) {
            throw new InvalidInputException(FIELD, refused.field() + ": " + refused.reason());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
