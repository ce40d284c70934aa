package io.eldr.calibration.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.Geometry;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ArtifactApiTest {
    private final TestServer server = TestServer.shared();
    private final ApiClient operator = server.as(TestToken.OPERATOR);

    private TestPool fitted(String options) {
        TestPool pool = TestPool.create(server).withDecoders(3).withSamples(60);
        assertThat(operator.refit(pool.name(), options).path("state").asString())
                .isEqualTo("SUCCEEDED");
        return pool;
    }

    @Test
    void downloadsTheBinaryUnlessTheCallerHasIt() {
        TestPool pool = fitted("{}");
        JsonNode version =
                operator.get(pool.path() + "/artifacts/1").expect(200).json();
        String sha256 = version.path("sha256").asString();
        ApiClient.Answer binary =
                operator.get(pool.path() + "/artifacts/1/binary").expect(200);
        assertThat(ArtifactCodec.sha256Hex(binary.response().body())).isEqualTo(sha256);
        assertThat(binary.header("ETag")).isEqualTo("\"" + sha256 + "\"");
        assertThat(binary.header("X-Eldr-Artifact-Sha256")).isEqualTo(sha256);
        assertThat(binary.header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(binary.header("Content-Length"))
                .isEqualTo(Integer.toString(binary.response().body().length))
                .isEqualTo(version.path("sizeBytes").asString());
        ApiClient.Answer same = ApiClient.send(
                operator.request(pool.path() + "/artifacts/1/binary").header("If-None-Match", "\"" + sha256 + "\""));
        same.expect(304);
        assertThat(same.response().body()).isEmpty();
        assertThat(same.header("ETag")).isEqualTo("\"" + sha256 + "\"");
        ApiClient.send(operator.request(pool.path() + "/artifacts/1/binary").header("If-None-Match", "\"other\""))
                .expect(200);
        ApiClient.send(operator.request(pool.path() + "/artifacts/1/binary").header("If-None-Match", "*"))
                .expect(304);
        ApiClient.send(operator.request(pool.path() + "/artifacts/2/binary").header("If-None-Match", "*"))
                .expectProblem(404, "not-found");
        operator.get(pool.path() + "/artifacts/2/binary").expectProblem(404, "not-found");
        operator.get(pool.path() + "/artifacts/two/binary").expectInvalid("version");
    }

    @Test
    void listsVersionsWithTheActiveOneAndShowsTheReportOfOne() {
        TestPool pool = fitted("{}");
        server.as(TestToken.ADMIN).refit(pool.name(), "{\"force\":true}");
        JsonNode versions = operator.get(pool.path() + "/artifacts").expect(200).json();
        assertThat(versions.valueStream().map(version -> version.path("version").asInt()))
                .containsExactly(2, 1);
        assertThat(versions.valueStream().map(version -> version.path("active").asBoolean()))
                .containsExactly(true, false);
        assertThat(versions.get(0).has("report")).isFalse();
        JsonNode one = operator.get(pool.path() + "/artifacts/2").expect(200).json();
        assertThat(one.path("report").path("rho").has("count")).isTrue();
        assertThat(one.path("slots").toString()).contains("decoder-2");
        operator.get(pool.path() + "/artifacts/7").expectProblem(404, "not-found");
    }

    @Test
    void exportsTheAuthorsFileAndTakesItBackAsANewVersionThatIsNotActivated() {
        TestPool pool = fitted("{\"representation\":\"count_idf\"}");
        byte[] file = operator.get(pool.path() + "/artifacts/1/router.json")
                .expect(200)
                .response()
                .body();
        ApiClient.Answer taken = operator.post(
                        pool.path() + "/artifacts", "application/json", BodyPublishers.ofByteArray(file))
                .expect(201);
        assertThat(taken.header("Location")).isEqualTo(pool.path() + "/artifacts/2");
        assertThat(taken.json().path("slots").toString()).isEqualTo("[\"decoder-0\",\"decoder-1\",\"decoder-2\"]");
        assertThat(operator.get(pool.path() + "/activations/current")
                        .json()
                        .path("version")
                        .asInt())
                .isEqualTo(1);
        assertThat(operator.get(pool.path() + "/artifacts/2/router.json")
                        .expect(200)
                        .response()
                        .body())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(new String(file, StandardCharsets.UTF_8));
    }

    @Test
    void bindsAnImportToTheSlotsThereAreAndLeavesTheRestMissing() {
        TestPool pool = fitted("{\"representation\":\"count\"}");
        byte[] file = operator.get(pool.path() + "/artifacts/1/router.json")
                .expect(200)
                .response()
                .body();
        operator.delete(pool.path() + "/workers/decoder-0").expect(204);
        JsonNode taken = operator.post(pool.path() + "/artifacts", "application/json", BodyPublishers.ofByteArray(file))
                .expect(201)
                .json();
        assertThat(taken.path("slots").toString()).isEqualTo("[\"decoder-1\",\"decoder-2\",\"2\"]");
    }

    @Test
    void cannotExportABinaryRepresentation() {
        TestPool pool = fitted("{\"representation\":\"binary\",\"mask\":\"all\"}");
        JsonNode problem = operator.get(pool.path() + "/artifacts/1/router.json")
                .expectProblem(409, "conflict")
                .json();
        assertThat(problem.path("detail").asString()).contains("binary");
    }

    @Test
    void takesABinaryOfTheSameModelAndRefusesOthersByField() {
        TestPool pool = fitted("{}");
        byte[] binary =
                operator.get(pool.path() + "/artifacts/1/binary").response().body();
        RoutingArtifact artifact = ArtifactCodec.decode(binary);
        TestPool other = TestPool.create(server);
        JsonNode taken = importBinary(other, binary).expect(201).json();
        assertThat(taken.path("slots").toString()).as("slots of its own stay").contains("decoder-0");
        assertThat(taken.path("version").asInt()).isEqualTo(1);

        ModelIdentity model = artifact.model();
        importBinary(other, with(artifact, new ModelIdentity("huge", "r1", model.geometry())))
                .expectInvalid("model");
        importBinary(other, with(artifact, new ModelIdentity("tiny", "r2", model.geometry())))
                .expectInvalid("revision");
        importBinary(other, with(artifact, new ModelIdentity("tiny", "r1", new Geometry(4, 8, 3))))
                .expectInvalid("topK");
        byte[] flipped = binary.clone();
        flipped[binary.length / 2] ^= 1;
        importBinary(other, flipped).expectInvalid("artifact");
        importBinary(other, java.util.Arrays.copyOf(binary, binary.length - 5)).expectInvalid("artifact");
        importBinary(other, new byte[] {1, 2, 3}).expectInvalid("artifact");
        importBinary(other, new byte[0]).expectInvalid("artifact");
        assertThat(operator.get(other.path() + "/artifacts").json()).hasSize(1);
    }

    @Test
    void takesABinaryWithoutARevisionAsOneOfThePools() {
        TestPool pool = fitted("{}");
        RoutingArtifact artifact = ArtifactCodec.decode(
                operator.get(pool.path() + "/artifacts/1/binary").response().body());
        ModelIdentity model = artifact.model();
        importBinary(pool, with(artifact, new ModelIdentity(model.name(), "", model.geometry())))
                .expect(201);
        RoutingArtifact taken = ArtifactCodec.decode(operator.get(pool.path() + "/artifacts/2/binary")
                .expect(200)
                .response()
                .body());
        assertThat(taken.model()).isEqualTo(model);
    }

    private ApiClient.Answer importBinary(TestPool pool, byte[] bytes) {
        return operator.post(pool.path() + "/artifacts", "application/octet-stream", BodyPublishers.ofByteArray(bytes));
    }

    private static byte[] with(RoutingArtifact artifact, ModelIdentity model) {
        return ArtifactCodec.encode(new RoutingArtifact(
                model,
                artifact.spec(),
                artifact.centroids(),
                artifact.slots(),
                artifact.recommendedTau(),
                artifact.evidence()));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                                                            | L
            []                                                                                            | artifact
            nonsense                                                                                      | artifact
            {"model":"tiny","k":1,"L":4,"e":8}                                                            | centroids
            {"model":"other","k":1,"L":4,"e":8,"layer_mask":[0],"variant":"count_idf","sig_idf":[1,1,1,1,1,1,1,1],"centroids":[[1,0,0,0,0,0,0,0]]} | model
            {"model":"tiny","k":1,"L":2,"e":8,"layer_mask":[0],"variant":"count_idf","sig_idf":[1,1,1,1,1,1,1,1],"centroids":[[1,0,0,0,0,0,0,0]]}  | L
            {"model":"tiny","k":1,"L":4,"e":8,"layer_mask":[1,0],"variant":"count_idf","sig_idf":[1,1,1,1,1,1,1,1],"centroids":[[1,0,0,0,0,0,0,0]]} | layer_mask
            {"model":"tiny","k":2,"L":4,"e":8,"layer_mask":[0],"variant":"count_idf","sig_idf":[1,1,1,1,1,1,1,1],"centroids":[[1,0,0,0,0,0,0,0]]} | centroids
            {"model":"tiny","k":1,"L":4,"e":8,"layer_mask":[0],"variant":"gate_prob_all","centroids":[[1,0,0,0,0,0,0,0]]} | variant
            """)
    void namesTheFieldOfAnAuthorsFileThatItRefuses(String file, String field) {
        TestPool pool = TestPool.create(server);
        operator.post(pool.path() + "/artifacts", file).expectInvalid(field);
        assertThat(operator.get(pool.path() + "/artifacts").json()).isEmpty();
    }

    @Test
    void refusesOtherMediaTypes() {
        TestPool pool = TestPool.create(server);
        operator.post(pool.path() + "/artifacts", "text/plain", BodyPublishers.ofString("x"))
                .expectProblem(415, "unsupported-media-type");
        assertThat(operator.get(pool.path() + "/artifacts").json()).isEmpty();
    }
}
