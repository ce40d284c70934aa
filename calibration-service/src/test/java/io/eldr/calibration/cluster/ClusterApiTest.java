package io.eldr.calibration.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ClusterApiTest {
    private static final ApiClient VIEWER = TestServer.shared().as(TestToken.VIEWER);
    private static TestPool pool;

    @BeforeAll
    static void fit() {
        pool = TestPool.create(TestServer.shared()).withDecoders(4).withSamples(80);
        JsonNode run = TestServer.shared().as(TestToken.OPERATOR).refit(pool.name(), "{}");
        assertThat(run.path("state").asString()).isEqualTo("SUCCEEDED");
    }

    /** Each of the four topics uses two experts of its own, so each cluster is one topic. */
    @Test
    void eachClusterHasItsDecoderItsTopicAndItsExperts() {
        JsonNode clusters = VIEWER.get(path("")).expect(200).json();

        assertThat(clusters.path("samples").asInt()).isEqualTo(80);
        assertThat(clusters.path("clusters")).hasSize(4);
        Set<String> topics = new HashSet<>();
        Set<String> slots = new HashSet<>();
        for (JsonNode cluster : clusters.path("clusters")) {
            slots.add(cluster.path("slot").asString());
            assertThat(cluster.path("basis").asString()).isEqualTo("decode");
            assertThat(cluster.path("sampledRequests").asInt()).isEqualTo(20);
            assertThat(cluster.path("labels").propertyNames()).hasSize(1);
            String topic = cluster.path("labels").propertyNames().iterator().next();
            topics.add(topic);
            assertThat(cluster.path("labels").path(topic).asInt()).isEqualTo(20);
            int first = 2 * Integer.parseInt(topic.substring("topic-".length()));
            for (JsonNode expert : cluster.path("distinctExperts")) {
                assertThat(expert.path("expert").asInt()).isBetween(first, first + 1);
                assertThat(expert.path("use").asDouble())
                        .isGreaterThan(expert.path("elsewhere").asDouble());
            }
            assertThat(cluster.path("layerContrast")).hasSize(4).allMatch(layer -> layer.asDouble() > 0.5);
        }
        assertThat(topics).hasSize(4);
        assertThat(slots).containsExactlyInAnyOrder("decoder-0", "decoder-1", "decoder-2", "decoder-3");
        assertThat(clusters.path("distances").get(1).get(1).asDouble()).isZero();
        assertThat(clusters.path("distances").get(0).get(1).asDouble()).isGreaterThan(0.3);
    }

    @Test
    void showsWhichExpertsAClusterUses() {
        JsonNode experts = VIEWER.get(path("/2/experts")).expect(200).json();

        assertThat(experts.path("layers")).hasSize(4);
        assertThat(experts.path("use")).hasSize(4);
        for (JsonNode layer : experts.path("use")) {
            double sum = layer.valueStream().mapToDouble(JsonNode::asDouble).sum();
            assertThat(sum).as("about top-k").isBetween(1.9, 2.1);
        }
        assertThat(experts.path("mean").get(3)).hasSize(8);
    }

    @Test
    void whatDoesNotExistIsNotFound() {
        VIEWER.get(pool.path() + "/artifacts/9/clusters").expectProblem(404, "not-found");
        VIEWER.get(path("/4/experts")).expectProblem(404, "not-found");
        VIEWER.get("/v1/pools/no-such-pool/artifacts/1/clusters").expectProblem(404, "not-found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "10001", "many"})
    void refusesNumbersOfSamplesThatMakeNoSense(String samples) {
        VIEWER.get(path("?samples=" + samples)).expectInvalid("samples");
    }

    private static String path(String rest) {
        return pool.path() + "/artifacts/1/clusters" + rest;
    }
}
