package io.eldr.admin.testing;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A router with one pool, as a real one answers. */
public final class FakeRouter implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final FakeService service;
    private final String pool;
    private final Set<String> ejected = new HashSet<>();

    private FakeRouter(FakeService service, String pool) {
        this.service = service;
        this.pool = pool;
    }

    public static FakeRouter start(String pool) {
        return new FakeRouter(FakeService.start(), pool);
    }

    /** The same router again after a restart. */
    public FakeRouter restarted() {
        return new FakeRouter(FakeService.startAt(service.port()), pool);
    }

    /** From the next {@link #serves} on it sees this decoder so. */
    public FakeRouter ejects(String decoder) {
        ejected.add(decoder);
        return this;
    }

    /** @param inFlight of each decoder */
    public FakeRouter serves(long generation, int... inFlight) {
        service.on("GET /v1/pools", "{\"pools\":[" + summary(generation) + "]}");
        service.on("GET /v1/pools/" + pool + "/decoders", decoders(generation, inFlight));
        return this;
    }

    /** @param states of each prefiller */
    public FakeRouter prefills(String... states) {
        ObjectNode answer = JSON.createObjectNode();
        answer.put("pool", pool);
        ArrayNode prefillers = answer.putArray("prefillers");
        for (int i = 0; i < states.length; i++) {
            ObjectNode prefiller = prefillers.addObject();
            prefiller.put("id", "p-" + i).put("url", "http://127.0.0.1:1/p" + i);
            prefiller.put("state", states[i]).put("eligible", states[i].equals("READY"));
            prefiller.put("source", "registered").put("inFlight", i + 1);
        }
        service.on("GET /v1/pools/" + pool + "/prefillers", JSON.writeValueAsString(answer));
        return this;
    }

    private String summary(long generation) {
        return """
            {"name":"%s","model":"moe","layers":4,"experts":8,"topK":2,"policy":"eldr","tau":0.1,"generation":%d,\
            "artifactVersion":%d,"degraded":false,"readyDecoders":2,"decoders":2}\
            """.formatted(pool, generation, generation);
    }

    private String decoders(long generation, int... inFlight) {
        ObjectNode answer = JSON.createObjectNode();
        answer.put("pool", pool);
        answer.put("generation", generation);
        answer.put("artifactVersion", generation);
        answer.put("degraded", false);
        answer.put("policy", "eldr");
        answer.put("tau", 0.1);
        answer.put("minCandidates", 1);
        answer.put("decisions", IntStream.of(inFlight).sum());
        answer.putObject("recentReasons").put("nearest", 6).put("band", 3).put("widened", 1);
        ArrayNode decoders = answer.putArray("decoders");
        for (int i = 0; i < inFlight.length; i++) {
            ObjectNode decoder = decoders.addObject();
            decoder.put("id", "d-" + i);
            decoder.put("url", "http://127.0.0.1:1/" + i);
            decoder.put("state", ejected.contains("d-" + i) ? "EJECTED" : "READY");
            decoder.put("source", "registered");
            decoder.put("cluster", i);
            decoder.put("borrowed", false);
            decoder.put("weight", 1.0);
            decoder.put("inFlight", inFlight[i]);
            decoder.put("load", inFlight[i] + 0.5);
            decoder.put("recentDecisions", 10 / inFlight.length);
            decoder.put("recentShare", 1.0 / inFlight.length);
            ObjectNode engine = decoder.putObject("engine");
            engine.put("running", inFlight[i])
                    .put("waiting", 0)
                    .put("kvUse", 0.25)
                    .put("ageSeconds", 0.1);
            engine.put("counts", true);
            engine.putObject("tokenTimes").put("seconds", 0.02 * inFlight[i]).put("requests", inFlight[i]);
            engine.putObject("stepExperts").put("experts", 5.5 * inFlight[i]).put("steps", inFlight[i]);
        }
        return JSON.writeValueAsString(answer);
    }

    /** As the calibration service lists it; seen so late that it is not forgotten while a test lasts. */
    public String registered(String id) {
        return """
            {"id":"%s","url":"%s","startedAt":"2026-01-01T00:00:00Z","lastSeen":"%s","pools":[]}\
            """.formatted(id, address(), Instant.now().plus(Duration.ofHours(1)));
    }

    /** A list of routers as the calibration service answers it. */
    public static String list(String... registered) {
        return java.util.stream.Stream.of(registered).collect(Collectors.joining(",", "[", "]"));
    }

    public FakeService service() {
        return service;
    }

    public URI address() {
        return service.address();
    }

    @Override
    public void close() {
        service.close();
    }
}
