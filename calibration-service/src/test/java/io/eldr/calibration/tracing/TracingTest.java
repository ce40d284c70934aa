package io.eldr.calibration.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.RecordedSpans;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestPostgres;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a collector gets to see of calls and refits. */
class TracingTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final AttributeKey<Long> REFIT = AttributeKey.longKey("eldr.refit");

    private static TestServer server;
    private static ApiClient admin;

    @BeforeAll
    static void serve() {
        server = TestServer.start(
                TestPostgres.freshDatabase().springProperties(),
                List.of(RecordedSpans.Replacement.class),
                "eldr.tracing.otlp-endpoint=http://127.0.0.1:9/v1/traces",
                "eldr.tracing.instance-id=replica-a");
        admin = server.as(TestToken.ADMIN);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aRefitShowsEachOfItsSteps() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        JsonNode run = admin.refit(pool.name(), "{}");
        assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("SUCCEEDED");
        long id = run.path("id").asLong();

        SpanData refit = awaitSpan(span -> span.getName().equals("refit") && isOf(span, id));
        assertThat(refit.getParentSpanContext().isValid()).isFalse();
        assertThat(refit.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(refit.getAttributes().asMap().toString())
                .contains("eldr.pool=" + pool.name(), "eldr.attempt=1", "eldr.trigger=manual", "eldr.version=1");
        assertThat(refit.getResource().getAttributes().asMap().toString())
                .contains("service.name=eldr-calibration", "service.instance.id=replica-a");

        assertThat(names(below(refit))).containsExactly("collect", "fit", "bind", "gate", "store");
        assertThat(below(refit).getFirst().getAttributes().get(AttributeKey.longKey("eldr.samples")))
                .isEqualTo(40);
        List<String> steps = names(below(child(refit, "fit")));
        assertThat(steps).containsSubsequence("split", "mask", "kmeans", "kmeans", "measure");
        assertThat(steps).containsOnly("split", "mask", "kmeans", "measure");
        assertThat(names(below(child(refit, "store")))).containsExactly("notify");

        assertThat(awaitSpan(span -> span.getName().startsWith("POST ") && isOf(span, id))
                        .getName())
                .isEqualTo("POST /v1/pools/{pool}/refits");
    }

    @Test
    void aRefitThatCannotBeDoneSaysWhy() {
        TestPool pool = TestPool.create(server).withDecoders(2).withSamples(40);
        long first = admin.refit(pool.name(), "{}").path("id").asLong();
        admin.patch(pool.path(), "{\"mode\":\"propose\"}").expect(200);
        admin.delete(pool.path() + "/workers/decoder-0").expect(204);
        JsonNode run = admin.refit(pool.name(), "{\"force\":true}");
        long id = run.path("id").asLong();
        assertThat(id).isGreaterThan(first);
        SpanData refit = awaitSpan(span -> span.getName().equals("refit") && isOf(span, id));
        assertThat(names(below(child(refit, "store")))).isEmpty();
    }

    @Test
    void aCallContinuesTheTraceOfItsCaller() {
        TestPool pool = TestPool.create(server);
        ApiClient.send(admin.request(pool.path() + "/workers/w")
                        .header("traceparent", "00-" + TRACE + "-" + CALLER + "-01")
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString("{\"role\":\"decode\",\"url\":\"http://h\"}")))
                .expect(201);
        SpanData call = awaitSpan(span -> span.getTraceId().equals(TRACE));
        assertThat(call.getName()).isEqualTo("PUT /v1/pools/{pool}/workers/{slot}");
        assertThat(call.getParentSpanId()).isEqualTo(CALLER);
        assertThat(call.getAttributes().asMap().toString())
                .contains("http.response.status_code=201", "url.path=" + pool.path() + "/workers/w");
    }

    @Test
    void callsThatOnlyReadAreNotTraced() {
        TestPool pool = TestPool.create(server);
        admin.get(pool.path()).expect(200);
        admin.patch(pool.path(), "{\"pinned\":true}").expect(200);
        awaitSpan(span -> span.getName().equals("PATCH /v1/pools/{pool}")
                && span.getAttributes().asMap().toString().contains(pool.name()));
        assertThat(names(spans())).noneMatch(name -> name.startsWith("GET"));
    }

    private static boolean isOf(SpanData span, long refit) {
        return Optional.ofNullable(span.getAttributes().get(REFIT)).equals(Optional.of(refit));
    }

    private static SpanData awaitSpan(Predicate<SpanData> wanted) {
        return await().until(() -> spans().stream().filter(wanted).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    private static List<SpanData> spans() {
        server.bean(SdkTracerProvider.class).forceFlush();
        return server.bean(RecordedSpans.class).all();
    }

    private static SpanData child(SpanData parent, String name) {
        return below(parent).stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<SpanData> below(SpanData parent) {
        return spans().stream()
                .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
                .toList();
    }

    private static List<String> names(List<SpanData> spans) {
        return spans.stream().map(SpanData::getName).toList();
    }
}
