package io.eldr.router.route;

import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.signature.RawForm;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.net.http.HttpRequest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input is refused by the name of the field at fault, never with a 5xx, and leaves nothing behind. */
class BadInputTest {

    private static final String POOL = "bad-input";
    private static final byte[] ZEROS = new byte[64];

    @BeforeAll
    static void serve() {
        SharedRouter.servingPool(POOL, 2);
    }

    @AfterEach
    void nothingIsOpenAndTheNextGoodRequestSucceeds() {
        ROUTER.get("/v1/pools/" + POOL + "/decoders")
                .json()
                .path("decoders")
                .forEach(decoder -> assertThat(decoder.path("inFlight").asInt()).isZero());
        assertThat(ROUTER.post("/v1/route", body(POOL, "good", "dryRun", true)).status())
                .isEqualTo(200);
    }

    static Stream<Arguments> bodies() {
        String sig = Base64.getEncoder().encodeToString(ZEROS);
        byte[] negative = ZEROS.clone();
        negative[3] = (byte) 0x80;
        return Stream.of(
                refused("body", ""),
                refused("body", "{"),
                refused("body", "[]"),
                refused("body", "null"),
                refused("body", "\"text\""),
                refused("body", "{} {}"),
                refused("body", "\u0000\u0001"),
                refused("pool", "{}"),
                refused("pool", "{'pool':7,'requestId':'a','promptTokens':1}"),
                refused("pool", "{'pool':null,'requestId':'a','promptTokens':1}"),
                refused("requestId", good("'promptTokens':1")),
                refused("requestId", good("'requestId':'','promptTokens':1")),
                refused("requestId", good("'requestId':'" + "x".repeat(201) + "','promptTokens':1")),
                refused("requestId", good("'requestId':'a\\u0000b','promptTokens':1")),
                refused("promptTokens", good("'requestId':'a'")),
                refused("promptTokens", good("'requestId':'a','promptTokens':0")),
                refused("promptTokens", good("'requestId':'a','promptTokens':-1")),
                refused("promptTokens", good("'requestId':'a','promptTokens':1.5")),
                refused("promptTokens", good("'requestId':'a','promptTokens':'1'")),
                refused("promptTokens", good("'requestId':'a','promptTokens':true")),
                refused("promptTokens", good("'requestId':'a','promptTokens':99999999999")),
                refused("promptTokens", good("'requestId':'a','promptTokens':1e400")),
                refused("promptTokens", good("'requestId':'a','promptTokens':NaN")),
                refused("promptTokens", good("'requestId':'a','promptTokens':1,'promptTokens':2")),
                refused("unknown", good("'requestId':'a','promptTokens':1,'unknown':1")),
                refused("decodeCounts", good("'requestId':'a','promptTokens':1,'decodeCounts':1")),
                refused("label", with("'label':''")),
                refused("label", with("'label':'" + "x".repeat(201) + "'")),
                refused("label", with("'label':{}")),
                refused("candidates", with("'candidates':[]")),
                refused("candidates", with("'candidates':'decoder-0'")),
                refused("candidates[0]", with("'candidates':[null]")),
                refused("candidates[1]", with("'candidates':['a','']")),
                refused("exclude[0]", with("'exclude':[7]")),
                refused("exclude", with("'exclude':[" + "'d',".repeat(1_024) + "'d']")),
                refused("dryRun", with("'dryRun':'true'")),
                refused("dryRun", with("'dryRun':1")),
                refused("leaseSeconds", with("'leaseSeconds':0")),
                refused("leaseSeconds", with("'leaseSeconds':601")),
                refused("leaseSeconds", with("'leaseSeconds':-5")),
                refused("signature", with("'signature':{}")),
                refused("signature", with("'signature':'" + sig + "'")),
                refused("signature", with("'signature':[]")),
                refused("signature", with("'signature':{'eldr_sig':'" + sig + "','eldr':{}}")),
                refused("signature.routed_experts", with("'signature':{'routed_experts':'AAAA'}")),
                refused("signature.prompt_routed_experts[0][0]", with("'signature':{'prompt_routed_experts':[[1]]}")),
                refused("signature.prompt_routed_experts[0]", with("'signature':{'prompt_routed_experts':[null]}")),
                refused(
                        "signature.prompt_routed_experts[0][0]",
                        with("'signature':{'prompt_routed_experts':[[null]]}")),
                refused("signature.prompt_routed_experts[0]", with("'signature':{'prompt_routed_experts':[[[1,2]]]}")),
                refused("signature.prompt_routed_experts", with("'signature':{'prompt_routed_experts':[]}")),
                refused("signature.blocks[0]", with("'signature':{'blocks':[null]}")),
                refused("signature.blocks[0].hash", with("'signature':{'blocks':[{'counts':''}]}")),
                refused("signature.blocks[0].counts", with("'signature':{'blocks':[{'hash':'a','counts':''}]}")),
                refused("signature.blocks", with("'signature':{'blocks':[]}")),
                refused("signature.eldr_sig", with("'signature':{'eldr_sig':''}")),
                refused("signature.eldr_sig", with("'signature':{'eldr_sig':'****'}")),
                refused("signature.eldr_sig", with("'signature':{'eldr_sig':'" + sig.substring(4) + "'}")),
                refused("signature.eldr_sig", with("'signature':{'eldr_sig':'" + sig + "AAAA'}")),
                refused("signature.eldr_sig", with("'signature':{'eldr_sig':17}")),
                refused(
                        "signature.eldr_sig",
                        with("'signature':{'eldr_sig':'" + Base64.getEncoder().encodeToString(negative) + "'}")),
                refused("signature.eldr.v", with(eldr("'layers':4"))),
                refused("signature.eldr.v", with(eldr("'v':2,'layers':4,'experts':8,'tokens':0,'dtype':'u16'"))),
                refused("signature.eldr.layers", with(eldr("'v':1,'layers':5,'experts':8,'tokens':0,'dtype':'u16'"))),
                refused("signature.eldr.experts", with(eldr("'v':1,'layers':4,'experts':-8,'tokens':0,'dtype':'u16'"))),
                refused("signature.eldr.tokens", with(eldr("'v':1,'layers':4,'experts':8,'tokens':-1,'dtype':'u16'"))),
                refused(
                        "signature.eldr.tokens",
                        with(eldr("'v':1,'layers':4,'experts':8,'tokens':1e99,'dtype':'u16'"))),
                refused("signature.eldr.dtype", with(eldr("'v':1,'layers':4,'experts':8,'tokens':0,'dtype':'f4'"))),
                refused("signature.eldr.counts", with(eldr("'v':1,'layers':4,'experts':8,'tokens':3,'dtype':'u16'"))),
                refused("signature.eldr.shape", with("'signature':{'eldr':{'v':1,'shape':[4,8]}}")));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void aBadBodyIs400AndNamesTheField(String field, String json) {
        Answer answer = ROUTER.post("/v1/route", json);
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.json().path("type").asString()).isEqualTo("https://eldr.io/problems/invalid-input");
        assertThat(answer.field()).as(answer.text()).isEqualTo(field);
        assertThat(answer.response().headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    void anUnknownFormIsRefusedWithThoseThatAreTaken() {
        Answer answer = ROUTER.post("/v1/route", with("'signature':{'npy':[]}").replace('\'', '"'));
        assertThat(answer.json().path("detail").asString()).contains("eldr_sig", "eldr", "routed_experts", "blocks");
    }

    static Stream<Arguments> rawRequests() {
        String good = "pool=" + POOL + "&requestId=r&promptTokens=1";
        return Stream.of(
                Arguments.of("body", good, 63),
                Arguments.of("body", good, 65),
                Arguments.of("body", good, 100_000),
                Arguments.of("pool", "requestId=r&promptTokens=1", 64),
                Arguments.of("requestId", "pool=" + POOL + "&promptTokens=1", 64),
                Arguments.of("promptTokens", "pool=" + POOL + "&requestId=r", 64),
                Arguments.of("promptTokens", "pool=" + POOL + "&requestId=r&promptTokens=NaN", 64),
                Arguments.of("promptTokens", good + "&promptTokens=2", 64),
                Arguments.of("leaseSeconds", good + "&leaseSeconds=1e9", 64),
                Arguments.of("dryRun", good + "&dryRun=yes", 64),
                Arguments.of("dryRun", good + "&dryRun", 64),
                Arguments.of("leaseSeconds", good + "&leaseSeconds", 64),
                Arguments.of("candidates[1]", good + "&candidates=a,,b", 64),
                Arguments.of("signature", good + "&signature=x", 64),
                Arguments.of("nonsense", good + "&nonsense=1", 64));
    }

    @ParameterizedTest
    @MethodSource("rawRequests")
    void aBadRawRequestIs400AndNamesTheField(String field, String query, int bytes) {
        Answer answer = ROUTER.postRaw("/v1/route?" + query, new byte[bytes]);
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).as(answer.text()).isEqualTo(field);
    }

    @Test
    void aBodyOverTheLimitIs413() {
        byte[] huge = new byte[32 * 1024 * 1024 + 1];
        Arrays.fill(huge, (byte) ' ');
        Answer answer = ROUTER.send(ROUTER.request("/v1/route", Optional.of("client-token"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(huge)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(413);
        assertThat(answer.json().path("type").asString()).isEqualTo("https://eldr.io/problems/too-large");
    }

    @Test
    void aHugeSignatureOfTheWrongShapeIs400() {
        String huge = "A".repeat(30 * 1024 * 1024);
        Answer answer = ROUTER.post("/v1/route", with("'signature':{'eldr_sig':'" + huge + "'}"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.field()).isEqualTo("signature.eldr_sig");
    }

    @Test
    void deepNestingIs400() {
        Answer answer = ROUTER.post("/v1/route", with("'signature':" + "[".repeat(100_000)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    }

    @Test
    void anotherMediaTypeIs415AndAnotherMethod405() {
        Answer text = ROUTER.send(ROUTER.request("/v1/route", Optional.of("client-token"))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{}")));
        assertThat(text.status()).isEqualTo(415);
        assertThat(text.json().path("type").asString()).isEqualTo("https://eldr.io/problems/unsupported-media-type");
        Answer method = ROUTER.get("/v1/route");
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.json().path("type").asString()).isEqualTo("https://eldr.io/problems/method-not-allowed");
    }

    @Test
    void anOversizedHeaderIsRefusedWithoutAServerError() {
        Answer answer = ROUTER.send(ROUTER.request("/v1/pools", Optional.of("viewer-token"))
                .header("X-Padding", "x".repeat(40_000))
                .GET());
        assertThat(answer.status()).isBetween(400, 499);
        Answer line = ROUTER.send(ROUTER.request("/v1/decisions/" + "x".repeat(20_000), Optional.of("viewer-token"))
                .GET());
        assertThat(line.status()).isBetween(400, 499);
    }

    static Stream<Arguments> closes() {
        return Stream.of(
                Arguments.of("outcome", "{}"),
                Arguments.of("outcome", "{'outcome':null}"),
                Arguments.of("outcome", "{'outcome':'fine'}"),
                Arguments.of("outcome", "{'outcome':1}"),
                Arguments.of("decodeTokens", "{'outcome':'completed','decodeTokens':-1}"),
                Arguments.of("decodeTokens", "{'outcome':'completed','decodeTokens':1.5}"),
                Arguments.of("tpotMs", "{'outcome':'completed','tpotMs':-0.5}"),
                Arguments.of("tpotMs", "{'outcome':'completed','tpotMs':1e999}"),
                Arguments.of("tpotMs", "{'outcome':'completed','tpotMs':'NaN'}"),
                Arguments.of("decodeCounts", "{'outcome':'completed','decodeCounts':{}}"),
                Arguments.of("body", ""));
    }

    @ParameterizedTest
    @MethodSource("closes")
    void aBadCloseIs400AndNamesTheFieldAndClosesNothing(String field, String json) {
        Answer opened = ROUTER.postRaw(
                "/v1/route?pool=" + POOL + "&requestId=c&promptTokens=1", RawForm.write(Fixtures.counts(1, 4)));
        String id = opened.json().at("/reservation/id").asString();
        Answer answer = ROUTER.post("/v1/reservations/" + id + "/close", json.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).as(answer.text()).isEqualTo(field);
        assertThat(ROUTER.delete("/v1/reservations/" + id + "?outcome=fine").field())
                .isEqualTo("outcome");
        Answer again = ROUTER.postRaw(
                "/v1/route?pool=" + POOL + "&requestId=c&promptTokens=1", RawForm.write(Fixtures.counts(1, 4)));
        assertThat(again.json().at("/reservation/id").asString()).isEqualTo(id);
        assertThat(ROUTER.delete("/v1/reservations/" + id).status()).isEqualTo(204);
    }

    private static Arguments refused(String field, String json) {
        return Arguments.of(field, json.replace('\'', '"'));
    }

    private static String good(String fields) {
        return "{'pool':'" + POOL + "'," + fields + "}";
    }

    private static String with(String field) {
        return good("'requestId':'a','promptTokens':1," + field).replace('\'', '"');
    }

    private static String eldr(String fields) {
        return "'signature':{'eldr':{" + fields + ",'counts':'"
                + Base64.getEncoder().encodeToString(ZEROS) + "'}}";
    }
}
