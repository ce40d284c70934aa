package io.eldr.admin.browser;

import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A pool of one test alone, of a tiny model, whose load and versions nobody else moves. Its decoders run nothing. */
final class OwnPool {
    /** Generous: a test machine may be busy. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int LAYERS = 4;
    private static final int EXPERTS = 8;
    private static final int TOPICS = 4;

    private final RealStack stack;
    private final String name;

    private OwnPool(RealStack stack, String name) {
        this.stack = stack;
        this.name = name;
    }

    /** With two decoders, {@code NAME-0} and {@code NAME-1}, once the router gives them traffic. */
    static OwnPool make(RealStack stack, String name) {
        return make(stack, name, "a model of " + name);
    }

    static OwnPool make(RealStack stack, String name, String model) {
        OwnPool pool = new OwnPool(stack, name);
        pool.forget();
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.put("name", name).put("model", model).put("layers", LAYERS).put("experts", EXPERTS);
        stack.call("POST", stack.calibration(), "/v1/pools", body.put("topK", 2).toString());
        for (int i = 0; i < 2; i++) {
            stack.call(
                    "PUT",
                    stack.calibration(),
                    pool.path() + "/workers/" + name + "-" + i,
                    "{\"role\":\"decode\",\"url\":\"http://127.0.0.1:9/" + i + "\",\"probe\":\"none\"}");
        }
        Awaitility.await("the router's decoders of " + name)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> pool.decoders()
                                .valueStream()
                                .filter(decoder ->
                                        decoder.path("state").asString().equals("READY"))
                                .count()
                        == 2);
        return pool;
    }

    /** Where a test is tried again there may be a pool of this name: it is deleted, and the router leaves it. */
    private void forget() {
        if (isAmong(stack.get(stack.calibration(), "/v1/pools"))) {
            delete();
        }
        Awaitility.await("the router without an earlier " + name)
                .atMost(PATIENCE)
                .until(() -> !isAmong(stack.get(stack.router(), "/v1/pools").path("pools")));
    }

    private boolean isAmong(JsonNode pools) {
        return pools.valueStream()
                .anyMatch(pool -> pool.path("name").asString("").equals(name));
    }

    String name() {
        return name;
    }

    String path() {
        return "/v1/pools/" + name;
    }

    /** Of topics that use experts of their own. */
    OwnPool withSamples(int count, String idPrefix, String labelPrefix) {
        Random random = new Random(count);
        String lines = IntStream.range(0, count)
                .mapToObj(i -> sample(idPrefix + i, labelPrefix + i % TOPICS, i % TOPICS, random))
                .collect(Collectors.joining("\n"));
        stack.send("POST", stack.calibration(), path() + "/samples", "application/x-ndjson", lines);
        return this;
    }

    private static String sample(String id, String label, int topic, Random random) {
        ObjectNode line = JsonMapper.shared().createObjectNode();
        line.put("requestId", id).put("label", label).put("promptTokens", 20);
        line.putObject("prefill").put("eldr_sig", counts(topic, 20, random));
        line.put("decodeTokens", 10).putObject("decode").put("eldr_sig", counts(topic, 10, random));
        return line.toString();
    }

    /** Each token takes its topic's two experts, now and then those of another. */
    private static String counts(int topic, int tokens, Random random) {
        int[] cells = new int[LAYERS * EXPERTS];
        for (int layer = 0; layer < LAYERS; layer++) {
            for (int token = 0; token < tokens; token++) {
                int pair = random.nextInt(5) == 0 ? random.nextInt(TOPICS) : topic;
                cells[layer * EXPERTS + 2 * pair]++;
                cells[layer * EXPERTS + 2 * pair + 1]++;
            }
        }
        return EldrSigForm.write(ExpertCounts.of(LAYERS, EXPERTS, cells));
    }

    /** Refits by hand and waits until the new version is active. */
    OwnPool refitted() {
        int before = activeVersion();
        stack.call("POST", stack.calibration(), path() + "/refits", "{\"force\":true}");
        awaitVersionAfter(before);
        return this;
    }

    /** Waits until a newer version is active and the router serves it. */
    int awaitVersionAfter(int before) {
        Awaitility.await("a version after " + before)
                .atMost(PATIENCE)
                .until(() -> activeVersion() > before && servedVersion() == activeVersion());
        return activeVersion();
    }

    /** 0 if there is none. */
    int activeVersion() {
        return stack.get(stack.calibration(), path() + "/artifacts")
                .valueStream()
                .filter(artifact -> artifact.path("active").asBoolean())
                .map(artifact -> artifact.path("version").asInt())
                .findFirst()
                .orElse(0);
    }

    /** What the router serves; 0 if it has none. */
    int servedVersion() {
        return stack.get(stack.router(), path() + "/artifact").path("version").asInt(0);
    }

    void activate(int version) {
        stack.call("POST", stack.calibration(), path() + "/activations", "{\"version\":" + version + "}");
    }

    /** Sends a request through the router and answers its reservation, which stays open. */
    String reserve(String requestId, Optional<String> label) {
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.put("pool", name)
                .put("requestId", requestId)
                .put("promptTokens", 20)
                .put("leaseSeconds", 600);
        label.ifPresent(text -> body.put("label", text));
        body.putObject("signature").put("eldr_sig", counts(0, 20, new Random(requestId.hashCode())));
        return stack.call("POST", stack.router(), "/v1/route", body.toString())
                .at("/reservation/id")
                .asString();
    }

    void close(String reservation) {
        stack.call("POST", stack.router(), "/v1/reservations/" + reservation + "/close", "{\"outcome\":\"completed\"}");
    }

    /** As the router shows them. */
    JsonNode decoders() {
        return stack.get(stack.router(), path() + "/decoders").path("decoders");
    }

    JsonNode decoder(String id) {
        return decoders()
                .valueStream()
                .filter(one -> one.path("id").asString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    void awaitState(String decoder, String state) {
        Awaitility.await(decoder + " is " + state)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> decoder(decoder).path("state").asString().equals(state));
    }

    void delete() {
        stack.call("DELETE", stack.calibration(), path(), "");
    }
}
