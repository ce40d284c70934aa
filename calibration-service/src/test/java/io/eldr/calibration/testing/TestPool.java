package io.eldr.calibration.testing;

import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A pool of its own for a test, of a tiny model whose topics use experts of their own. */
public record TestPool(ApiClient admin, String name) {
    public static final Geometry GEOMETRY = new Geometry(4, 8, 2);
    public static final int TOPICS = 4;

    public static TestPool create(TestServer server) {
        return create(server.as(TestToken.ADMIN));
    }

    public static TestPool create(ApiClient admin) {
        String name = "pool-" + UUID.randomUUID();
        admin.post("/v1/pools", """
                        {"name":"%s","model":"tiny","revision":"r1","layers":4,"experts":8,"topK":2}""".formatted(name)).expect(201);
        return new TestPool(admin, name);
    }

    public String path() {
        return "/v1/pools/" + name;
    }

    public TestPool withDecoders(int count) {
        for (int i = 0; i < count; i++) {
            withDecoder(i);
        }
        return this;
    }

    public TestPool withDecoder(int number) {
        admin.put(
                        path() + "/workers/decoder-" + number,
                        "{\"role\":\"decode\",\"url\":\"http://127.0.0.1:9/%d\",\"probe\":\"none\"}".formatted(number))
                .expect(201);
        return this;
    }

    /** Adds samples of all topics in turn, with decode counts. */
    public TestPool withSamples(int count) {
        admin.postSamples(name, lines("request", count, i -> true)).expect(200);
        return this;
    }

    /** @param decoded which samples carry decode counts */
    public static String lines(String prefix, int count, IntPredicate decoded) {
        return IntStream.range(0, count)
                .mapToObj(i -> line(prefix + "-" + i, i % TOPICS, i, decoded.test(i)))
                .collect(Collectors.joining("\n"));
    }

    public static String line(String id, int topic, long seed, boolean decoded) {
        Random random = new Random(seed);
        int tokens = 20 + random.nextInt(20);
        String decode = decoded
                ? ",\"decodeTokens\":10,\"decode\":{\"eldr_sig\":\"%s\"}"
                        .formatted(EldrSigForm.write(counts(topic, 10, random)))
                : "";
        return "{\"requestId\":\"%s\",\"label\":\"topic-%d\",\"promptTokens\":%d,\"prefill\":{\"eldr_sig\":\"%s\"}%s}"
                .formatted(id, topic, tokens, EldrSigForm.write(counts(topic, tokens, random)), decode);
    }

    /** Each token takes its topic's two experts, now and then others. */
    public static ExpertCounts counts(int topic, int tokens, Random random) {
        int[] cells = new int[GEOMETRY.cells()];
        for (int layer = 0; layer < GEOMETRY.layers(); layer++) {
            for (int token = 0; token < tokens; token++) {
                int pair = random.nextInt(5) == 0 ? random.nextInt(TOPICS) : topic;
                cells[layer * GEOMETRY.experts() + 2 * pair]++;
                cells[layer * GEOMETRY.experts() + 2 * pair + 1]++;
            }
        }
        return ExpertCounts.of(GEOMETRY.layers(), GEOMETRY.experts(), cells);
    }
}
