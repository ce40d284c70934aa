package io.eldr.calibration.refit;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.Signature;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RefitApiTest {
    private final TestServer server = TestServer.shared();
    private final ApiClient operator = server.as(TestToken.OPERATOR);
    private final ApiClient admin = server.as(TestToken.ADMIN);

    @Test
    void saysWhatItDoesWhileItWaitsAndWhatItDidInTheEnd() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        ApiClient.Answer queued = operator.post(
                        pool.path() + "/refits",
                        "{\"representation\":\"count\",\"mask\":[2,0],\"pairs\":\"all\",\"seed\":7}")
                .expect(202);
        assertThat(queued.header("Location"))
                .isEqualTo(pool.path() + "/refits/" + queued.json().path("id").asLong());
        assertThat(queued.json().path("state").asString()).isEqualTo("QUEUED");
        assertThat(queued.json().path("trigger").asString()).isEqualTo("manual");
        JsonNode run = operator.refitAt(queued.header("Location"));
        assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.path("options"))
                .isEqualTo(
                        JsonMapper.shared()
                                .readTree(
                                        "{\"representation\":\"count\",\"mask\":[0,2],\"seed\":7,\"pairs\":\"all\",\"holdOut\":0.2}"));
        assertThat(run.path("requestedBy").asString()).isEqualTo("operator");
        assertThat(run.path("attempts").asInt()).isEqualTo(1);
        assertThat(run.path("stage").asString()).isEqualTo("gate");
        assertThat(run.path("report").path("mask").toString()).isEqualTo("[0,2]");
        assertThat(operator.get(pool.path() + "/refits").json().get(0).has("report"))
                .isFalse();
        operator.get(pool.path() + "/refits/999999").expectProblem(404, "not-found");
        TestPool other = TestPool.create(server);
        operator.get(other.path() + "/refits/" + run.path("id").asLong()).expectProblem(404, "not-found");
    }

    @Test
    void refusesAtOnceWhatCannotBeFitted() {
        TestPool pool = TestPool.create(server);
        assertThat(detail(pool)).contains("no decoders");
        admin.put(pool.path() + "/workers/p", "{\"role\":\"prefill\",\"url\":\"http://h\"}")
                .expect(201);
        assertThat(detail(pool)).contains("no decoders");
        pool.withDecoders(3);
        pool.withSamples(2);
        assertThat(detail(pool)).contains("2 samples").contains("3 decoders");
        assertThat(operator.get(pool.path() + "/refits").json()).isEmpty();
    }

    private String detail(TestPool pool) {
        return operator.post(pool.path() + "/refits", "")
                .expectProblem(409, "conflict")
                .json()
                .path("detail")
                .asString();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"representation":"gate_prob"}  | representation
            {"representation":1}            | representation
            {"mask":"some"}                 | mask
            {"mask":[]}                     | mask
            {"mask":[0,0]}                  | mask
            {"mask":[4]}                    | mask
            {"mask":[-1]}                   | mask
            {"mask":[0.5]}                  | mask
            {"mask":7}                      | mask
            {"mask":""}                     | mask
            {"seed":1.5}                    | seed
            {"seed":"one"}                  | seed
            {"pairs":0}                     | pairs
            {"pairs":-5}                    | pairs
            {"pairs":"few"}                 | pairs
            {"pairs":100000000}             | pairs
            {"pairs":3e10}                  | pairs
            {"holdOut":-0.1}                | holdOut
            {"holdOut":0.5}                 | holdOut
            {"holdOut":"NaN"}               | holdOut
            {"force":"yes"}                 | force
            {"clusters":4}                  | clusters
            """)
    void namesTheOptionThatItRefuses(String options, String field) {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(8);
        admin.post(pool.path() + "/refits", options).expectInvalid(field);
        assertThat(operator.get(pool.path() + "/refits").json()).isEmpty();
    }

    @Test
    void publishesWithoutActivatingWhereThePoolIsPinnedOrWantsToBeAsked() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        admin.patch(pool.path(), "{\"pinned\":true}").expect(200);
        assertThat(operator.refit(pool.name(), "{}").path("version").asInt()).isEqualTo(1);
        operator.get(pool.path() + "/activations/current").expectProblem(404, "not-found");
        admin.patch(pool.path(), "{\"pinned\":false,\"mode\":\"propose\"}").expect(200);
        assertThat(operator.refit(pool.name(), "{}").path("version").asInt())
                .as("nothing is active, so nothing is the same as the active one")
                .isEqualTo(2);
        operator.get(pool.path() + "/activations/current").expectProblem(404, "not-found");
    }

    @Test
    void fitsAgainWhenSamplesSlotsOrOptionsChanged() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        assertThat(operator.refit(pool.name(), "{}").path("version").asInt()).isEqualTo(1);
        assertThat(operator.refit(pool.name(), "{}").path("state").asString()).isEqualTo("REJECTED");
        assertThat(operator.refit(pool.name(), "{\"seed\":2}").path("version").asInt())
                .isEqualTo(2);
        admin.postSamples(pool.name(), TestPool.line("one-more", 0, 77, true)).expect(200);
        assertThat(operator.refit(pool.name(), "{\"seed\":2}").path("version").asInt())
                .isEqualTo(3);
        admin.delete(pool.path() + "/workers/decoder-0").expect(204);
        JsonNode run = operator.refit(pool.name(), "{\"seed\":2}");
        assertThat(run.path("version").asInt()).isEqualTo(4);
        assertThat(operator.get(pool.path() + "/artifacts/4")
                        .json()
                        .path("slots")
                        .toString())
                .isEqualTo("[\"decoder-1\"]");
    }

    @Test
    void makesClustersForDrainingAndObservedDecodersToo() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        admin.post(pool.path() + "/workers/decoder-1/drain", "").expect(200);
        admin.put(pool.path() + "/workers/prefiller", "{\"role\":\"prefill\",\"url\":\"http://h\"}")
                .expect(201);
        JdbcClient jdbc = JdbcClient.create(TestServer.sharedDatabase().dataSource());
        for (String[] seen : new String[][] {
            {"Zebra", "now()", "u"},
            {"gone", "now() - interval '1 hour'", "u"},
            {"removed", "now()", "registration-7-00000000"},
            {"prefiller", "now()", "u"}
        }) {
            jdbc.sql("""
                            insert into incarnation (pool_id, slot, uid, role, url, first_seen, last_seen, seen_by)
                            select id, :slot, :uid, 'decode', 'http://h', now() - interval '2 hours', %s, 'r'
                            from pool where name = :pool""".formatted(seen[1]))
                    .param("slot", seen[0])
                    .param("uid", seen[2])
                    .param("pool", pool.name())
                    .update();
        }
        assertThat(operator.refit(pool.name(), "{}").path("version").asInt()).isEqualTo(1);
        assertThat(operator.get(pool.path() + "/artifacts/1")
                        .json()
                        .path("slots")
                        .toString())
                .contains("decoder-0", "decoder-1", "Zebra")
                .doesNotContain("gone", "removed", "prefiller");
    }

    @Test
    void startsUncalibratedThenCalibratesThenKeepsWhatItCannotChooseAnew() {
        TestPool pool = TestPool.create(server).withDecoders(2);
        admin.postSamples(pool.name(), TestPool.lines("live", 40, i -> false)).expect(200);
        JsonNode first = operator.refit(pool.name(), "{}");
        assertThat(first.path("state").asString()).as(first.toString()).isEqualTo("SUCCEEDED");
        assertThat(first.path("report").path("basis").path("kind").asString()).isEqualTo("uncalibrated");
        JsonNode one = operator.get(pool.path() + "/artifacts/1").json();
        assertThat(one.path("uncalibrated").asBoolean()).isTrue();
        assertThat(one.path("representation").asString()).isEqualTo("count");
        assertThat(one.path("mask").toString()).isEqualTo("[0,1,2,3]");

        pool.withSamples(30);
        JsonNode second = operator.refit(pool.name(), "{\"representation\":\"binary\",\"mask\":[1,3]}");
        assertThat(second.path("report").path("basis").path("kind").asString()).isEqualTo("full");
        assertThat(operator.get(pool.path() + "/artifacts/2")
                        .json()
                        .path("uncalibrated")
                        .asBoolean())
                .isFalse();

        JsonNode third = operator.refit(pool.name(), "{}");
        assertThat(third.path("report").path("basis").path("kind").asString()).isEqualTo("kept");
        assertThat(third.path("report").path("basis").path("keptFromVersion").asInt())
                .isEqualTo(2);
        JsonNode three = operator.get(pool.path() + "/artifacts/3").json();
        assertThat(three.path("representation").asString()).isEqualTo("binary");
        assertThat(three.path("mask").toString()).isEqualTo("[1,3]");
        assertThat(three.path("uncalibrated").asBoolean()).isFalse();

        admin.postSamples(pool.name(), TestPool.lines("replay", 60, i -> true)).expect(200);
        JsonNode fourth = operator.refit(pool.name(), "{}");
        assertThat(fourth.path("report").path("basis").path("kind").asString()).isEqualTo("full");
        assertThat(fourth.path("report").path("basis").path("samplesUsed").asInt())
                .isEqualTo(90);
    }

    @Test
    void failsWithTheReasonWhereHalfOfTheChoiceCannotBeMade() {
        TestPool pool = TestPool.create(server).withDecoders(2);
        admin.postSamples(pool.name(), TestPool.lines("live", 40, i -> false)).expect(200);
        JsonNode run = operator.refit(pool.name(), "{\"representation\":\"count\"}");
        assertThat(run.path("state").asString()).isEqualTo("FAILED");
        assertThat(run.path("reason").asString()).contains("decode counts");
        assertThat(operator.get(pool.path() + "/artifacts").json()).isEmpty();
    }

    @Test
    void endsWithSomethingClearWhereAllSamplesAreAlikeOrTooFewAreLeftToFit() {
        TestPool alike = TestPool.create(server).withDecoders(2);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            lines.append(TestPool.line("same-" + i, 0, 5, true)).append('\n');
        }
        admin.postSamples(alike.name(), lines.toString()).expect(200);
        assertThat(operator.refit(alike.name(), "{}").path("state").asString()).isIn("SUCCEEDED", "FAILED");

        TestPool few = TestPool.create(server).withDecoders(4).withSamples(4);
        JsonNode run = operator.refit(few.name(), "{}");
        assertThat(run.path("state").asString()).isEqualTo("FAILED");
        assertThat(run.path("reason").asString()).contains("too few for 4 clusters");
    }

    @Test
    void keepsEachDecodersRequestsFromVersionToVersion() {
        TestPool pool = TestPool.create(server).withDecoders(TestPool.TOPICS).withSamples(80);
        String options = "{\"representation\":\"count\",\"mask\":\"all\",\"seed\":%d}";
        operator.refit(pool.name(), options.formatted(1));
        operator.refit(pool.name(), options.formatted(2));
        RoutingArtifact first = artifact(pool, 1);
        RoutingArtifact second = artifact(pool, 2);
        for (int topic = 0; topic < TestPool.TOPICS; topic++) {
            assertThat(slotOf(second, topic)).as("topic %d", topic).isEqualTo(slotOf(first, topic));
        }
    }

    private RoutingArtifact artifact(TestPool pool, int version) {
        return ArtifactCodec.decode(operator.get(pool.path() + "/artifacts/" + version + "/binary")
                .expect(200)
                .response()
                .body());
    }

    private static String slotOf(RoutingArtifact artifact, int topic) {
        Signature signature = artifact.spec().signatureOf(TestPool.counts(topic, 200, new Random(9)));
        int best = 0;
        for (int k = 1; k < artifact.clusters(); k++) {
            if (artifact.centroids().similarity(k, signature)
                    > artifact.centroids().similarity(best, signature)) {
                best = k;
            }
        }
        return artifact.slots().get(best);
    }
}
