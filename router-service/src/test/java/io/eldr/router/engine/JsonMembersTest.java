package io.eldr.router.engine;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.InvalidInputException;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JsonMembersTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @Test
    void membersKeepTheirBytes() {
        String text =
                " { \"a\" : 1.50e+00 ,\"b\":\"x\\u00e9\\n\", \"c\":[1, {\"a\":2}] ,\"d\":12345678901234567890123 } ";

        byte[] spliced =
                members(text).splice().without(Set.of("b")).with("e", "true").toBytes();

        assertThat(text(spliced))
                .isEqualTo("{\"a\" : 1.50e+00,\"c\":[1, {\"a\":2}],\"d\":12345678901234567890123,\"e\":true}");
    }

    @Test
    void aMemberThatIsPutInTakesThePlaceOfAllOfItsName() {
        byte[] spliced =
                members("{\"a\":1,\"b\":2,\"a\":3}").splice().with("a", "4").toBytes();

        assertThat(text(spliced)).isEqualTo("{\"b\":2,\"a\":4}");
    }

    @Test
    void theLastOfANameCounts() {
        assertThat(members("{\"a\":1,\"a\":3}").value("a").map(JsonMembersTest::text))
                .contains("3");
    }

    @Test
    void objectsWithinAreObjectsThemselves() {
        JsonMembers inner = members("{\"x\":[0],\"a\":{\"k\" : \"v\",\"l\":{}}}")
                .object("a")
                .orElseThrow();

        assertThat(text(inner.splice().without(Set.of("l")).toBytes())).isEqualTo("{\"k\" : \"v\"}");
        assertThat(inner.object("k")).isEmpty();
        assertThat(inner.object("absent")).isEmpty();
    }

    @Test
    void nullIsNotAValue() {
        assertThat(members("{\"a\":null}").has("a")).isFalse();
        assertThat(members("{}").has("a")).isFalse();
        assertThat(members("{\"a\":0}").has("a")).isTrue();
    }

    @Test
    void anEmptyObjectStaysOne() {
        assertThat(text(members("{}").splice().toBytes())).isEqualTo("{}");
        assertThat(text(members("{\"a\":1}").splice().without(Set.of("a")).toBytes()))
                .isEqualTo("{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "7", "{", "{\"a\"}", "{\"a\":1}{", "{\"a\":1} x", "nul", "\u00fe{}"})
    void whatIsNotOneObjectIsRefused(String text) {
        assertThatExceptionOfType(InvalidInputException.class).isThrownBy(() -> members(text));
    }

    @Test
    void otherEncodingsAreRefused() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> JsonMembers.of("body", "{\"a\":1}".getBytes(UTF_16LE)));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void splicingMeansTheSameAsChangingTheTree(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        for (int round = 0; round < 500; round++) {
            ObjectNode tree = object(random, 3);
            String text = random.nextBoolean()
                    ? JSON.writeValueAsString(tree)
                    : JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tree);

            byte[] spliced =
                    members(text).splice().without(Set.of("b")).with("z", "[1]").toBytes();

            tree.remove("b");
            tree.set("z", JSON.createArrayNode().add(1));
            assertThat(JSON.readTree(spliced)).as(text).isEqualTo(JSON.readTree(JSON.writeValueAsBytes(tree)));
        }
    }

    private static ObjectNode object(RandomGenerator random, int depth) {
        ObjectNode object = JSON.createObjectNode();
        for (int i = random.nextInt(5); i > 0; i--) {
            object.set(String.valueOf((char) ('a' + random.nextInt(6))), value(random, depth));
        }
        return object;
    }

    private static JsonNode value(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 7)) {
            case 0 -> JSON.getNodeFactory().numberNode(random.nextLong());
            case 1 -> JSON.getNodeFactory().numberNode(random.nextDouble());
            case 2 -> JSON.getNodeFactory().stringNode("\"\\\u00e9\ud83d\ude00{}[],:" + random.nextInt());
            case 3 -> JSON.getNodeFactory().booleanNode(random.nextBoolean());
            case 4 -> JSON.getNodeFactory().nullNode();
            case 5 -> {
                ArrayNode array = JSON.createArrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(value(random, depth - 1));
                }
                yield array;
            }
            default -> object(random, depth - 1);
        };
    }

    private static JsonMembers members(String text) {
        return JsonMembers.of("body", text.getBytes(UTF_8));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
