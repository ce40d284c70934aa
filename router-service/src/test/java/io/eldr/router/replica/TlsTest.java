package io.eldr.router.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.load.LoadLedger;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import io.eldr.router.testing.FreePorts;
import io.eldr.router.testing.Registry;
import io.eldr.router.testing.TestRouter;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two routers whose every port speaks TLS with a certificate that bears the name of their service. */
class TlsTest {
    private static final String PASSWORD = "not-a-secret";

    @Test
    void everyPortSpeaksTlsAndRoutersReachOneAnother(@TempDir Path directory) throws Exception {
        Path store = certificate(directory);
        try (TestDatabase database = TestPostgres.freshDatabase();
                HttpClient http = trusting(store)) {
            new Registry(database).servingPool("secured", 2);
            List<Integer> ports = FreePorts.of(2);
            try (TestRouter owner = start(database, store, "owner", ports.get(0));
                    TestRouter other = start(database, store, "other", ports.get(1))) {
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> owner.bean(LoadLedger.class).routers() == 2
                                && other.bean(LoadLedger.class).routers() == 2);
                assertThat(send(http, HttpRequest.newBuilder(at(owner.managementPort(), "/actuator/health")))
                                .statusCode())
                        .isEqualTo(200);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> send(
                                                http,
                                                call(owner.port(), "/v1/pools/secured/decoders")
                                                        .GET())
                                        .statusCode()
                                == 200);
                HttpResponse<String> placed = send(
                        http,
                        call(owner.port(), "/v1/route")
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"pool\":\"secured\",\"requestId\":\"r\",\"promptTokens\":1}")));
                assertThat(placed.statusCode()).as(placed.body()).isEqualTo(200);
                JsonNode answer = JsonMapper.shared().readTree(placed.body());
                String reservation = answer.at("/reservation/id").asString();
                assertThat(send(
                                        http,
                                        call(other.port(), "/v1/reservations/" + reservation)
                                                .DELETE())
                                .statusCode())
                        .isEqualTo(204);
                assertThat(owner.bean(LoadLedger.class).inFlight().values()).allMatch(count -> count == 0);
            }
        }
    }

    private static TestRouter start(TestDatabase database, Path store, String id, int port) {
        return TestRouter.start(
                database.springProperties(),
                "server.port=" + port,
                "server.ssl.bundle=eldr",
                "management.server.ssl.bundle=eldr",
                "spring.ssl.bundle.jks.eldr.keystore.location=file:" + store,
                "spring.ssl.bundle.jks.eldr.keystore.password=" + PASSWORD,
                "spring.ssl.bundle.jks.eldr.truststore.location=file:" + store,
                "spring.ssl.bundle.jks.eldr.truststore.password=" + PASSWORD,
                "eldr.router.instance-id=" + id,
                "eldr.router.url=https://127.0.0.1:" + port,
                "eldr.router.replicas.ssl-bundle=eldr",
                "eldr.router.replicas.forward-timeout=30s");
    }

    /** A key with a certificate of its own for the name {@code localhost}, which is no address. */
    private static Path certificate(Path directory) throws IOException, InterruptedException {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD,
                        "-storetype",
                        "PKCS12",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "eldr",
                        "-dname",
                        "CN=eldr-router",
                        "-ext",
                        "san=dns:localhost")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        return store;
    }

    private static HttpClient trusting(Path file) throws IOException, GeneralSecurityException {
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            own.load(in, PASSWORD.toCharArray());
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("eldr", own.getCertificate("eldr"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(context)
                .build();
    }

    private static URI at(int port, String path) {
        return URI.create("https://localhost:" + port + path);
    }

    private static HttpRequest.Builder call(int port, String path) {
        return HttpRequest.newBuilder(at(port, path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + TestRouter.OPERATOR);
    }

    private static HttpResponse<String> send(HttpClient http, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
