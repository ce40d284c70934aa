package io.eldr.router.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.drift.ObservationWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ObservationBodyTest {
    @Test
    void aPostIsWhatTheCalibrationServiceReads() throws IOException {
        String example = Files.readString(Path.of("..", "docs", "openapi", "examples", "observation.json"));
        ObservationBody body = ObservationBody.of(
                "router-1-0123456789abcdef",
                new Outbox.Post(
                        7, 3, new ObservationWindow(5, 1, List.of(3L, 1L), List.of(0L, 0L, 1L, 3L), 3.5, 2, 4)));
        JsonMapper json = JsonMapper.shared();
        assertThat(json.readTree(json.writeValueAsString(body))).isEqualTo(json.readTree(example));
    }
}
