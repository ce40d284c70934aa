package io.eldr.router.calibration;

import java.util.Optional;

/**
 * The way to the calibration service.
 *
 * @param client empty where it is not to be called
 */
public record CalibrationLink(Optional<CalibrationClient> client) implements AutoCloseable {
    @Override
    public void close() {
        client.ifPresent(CalibrationClient::close);
    }
}
