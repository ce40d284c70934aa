package io.eldr.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.launcher.FakeEldr;
import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class EldrClientTest {

    private FakeEldr eldr;

    @BeforeEach
    void start() throws IOException {
        eldr = new FakeEldr();
    }

    @AfterEach
    void stop() {
        eldr.close();
    }

    @Test
    void sendsItsTokenAndToleratesASlashBehindTheAddress() {
        client(URI.create(eldr.address() + "/")).find("/v1/pools/demo");

        assertThat(eldr.calls().getFirst()).hasToString("GET /v1/pools/demo");
        assertThat(eldr.calls().getFirst().authorization()).isEqualTo("Bearer secret");
    }

    @Test
    void whatIsNotThereIsEmpty() {
        assertThat(client(eldr.address()).find("/v1/pools/demo")).isEmpty();
    }

    @Test
    void aRefusalTellsWhatTheServiceSaid() {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> client(eldr.address()).get("/refused"))
                .withMessageContaining("400 counts: too short")
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(400));
    }

    @Test
    void aRefusalThatIsNoProblemIsToldAsItIs() {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> client(eldr.address()).get("/elsewhere"))
                .withMessageContaining("404 nothing here");
    }

    @Test
    void anAnswerThatIsNoJsonIsNotOurs() {
        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(() -> client(eldr.address()).get("/not-json"))
                .withMessageContaining("is it ELDR?");
    }

    @Test
    void nobodyThereIsSaidPlainly() {
        URI address = eldr.address();
        eldr.close();

        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(() -> client(address).get("/v1/pools"))
                .withMessageContaining("Nothing answers at " + address);
    }

    @Test
    void encodesWhatAPathOrQueryCannotHold() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("label", "a b&c");
        parameters.put("id", "ü/1");

        assertThat(EldrClient.query(parameters)).isEqualTo("label=a%20b%26c&id=%C3%BC%2F1");
    }

    private static EldrClient client(URI address) {
        return new EldrClient(HttpClient.newHttpClient(), JsonMapper.shared(), address, "secret");
    }
}
