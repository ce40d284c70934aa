package io.eldr.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceSamplesTest {
    @TempDir
    Path directory;

    @Test
    void takesThePromptAsSignatureAndTheDecodedTokensAsTarget() throws IOException {
        TraceFolder.tokenExperts(directory);

        TraceSamples samples = TraceSamples.of(RoutingTrace.read(directory), SignatureSource.parse("prefill"));

        assertThat(samples.skipped()).isZero();
        RequestSample a = samples.samples().getFirst();
        assertThat(a.id()).isEqualTo("a");
        assertThat(a.label()).isEqualTo("law");
        assertThat(a.signatureTokens()).isEqualTo(2);
        assertThat(a.prefill()).isEqualTo(ExpertCounts.of(2, 4, new int[] {2, 2, 0, 0, 0, 1, 1, 2}));
        assertThat(a.decode()).contains(ExpertCounts.of(2, 4, new int[] {1, 0, 1, 0, 1, 1, 0, 0}));
        assertThat(a.decodeTokens()).isEqualTo(1);
        RequestSample b = samples.samples().getLast();
        assertThat(b.decode()).isEmpty();
        assertThat(b.decodeTokens()).isZero();
    }

    @Test
    void leavesOutAndCountsRequestsWithoutAPrompt() throws IOException {
        RoutingTrace trace = oneLayer(
                "{'id':'none','prefillTokens':0,'decodeTokens':2,'offset':0}",
                "{'id':'some','prefillTokens':1,'decodeTokens':3,'offset':2}");

        TraceSamples samples = TraceSamples.of(trace, new SignatureSource.Prefill());

        assertThat(samples.samples()).extracting(RequestSample::id).containsExactly("some");
        assertThat(samples.skipped()).isEqualTo(1);
    }

    @Test
    void tellsWhatToDoWhenNoRequestHasAPrompt() throws IOException {
        RoutingTrace trace = oneLayer("{'id':'none','prefillTokens':0,'decodeTokens':6,'offset':0}");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> TraceSamples.of(trace, new SignatureSource.Prefill()))
                .withMessageContaining("no request of this trace has prefill tokens; use --signature-from decode:n");
    }

    @Test
    void letsTheFirstDecodeTokensStandInAndTakesTheRestAsTarget() throws IOException {
        // The experts are 0 1 2 0 1 2, one a token, the first of them the prompt's.
        RoutingTrace trace = oneLayer("{'id':'a','domain':'d','prefillTokens':1,'decodeTokens':5,'offset':0}");

        RequestSample sample = TraceSamples.of(trace, SignatureSource.parse("decode:2"))
                .samples()
                .getFirst();

        assertThat(sample)
                .isEqualTo(new RequestSample(
                        "a",
                        "d",
                        2,
                        ExpertCounts.of(1, 3, new int[] {0, 1, 1}),
                        Optional.of(ExpertCounts.of(1, 3, new int[] {1, 1, 1})),
                        3));
    }

    @Test
    void leavesOutAndCountsRequestsWithFewerThanTwiceTheDecodeTokens() throws IOException {
        RoutingTrace trace = oneLayer(
                "{'id':'three','prefillTokens':0,'decodeTokens':3,'offset':0}",
                "{'id':'two','prefillTokens':0,'decodeTokens':2,'offset':3}",
                "{'id':'one','prefillTokens':0,'decodeTokens':1,'offset':5}");

        assertThat(TraceSamples.of(trace, SignatureSource.parse("decode:1")).samples())
                .extracting(RequestSample::id)
                .containsExactly("three", "two");
        assertThat(TraceSamples.of(trace, SignatureSource.parse("decode:1")).skipped())
                .isEqualTo(1);
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> TraceSamples.of(trace, SignatureSource.parse("decode:2")))
                .withMessageContaining("no request of this trace has the 4 decode tokens")
                .withMessageContaining("the longest has 3");
    }

    @Test
    void aTraceOfPromptCountsHasNoDecodeTokensToStandIn() throws IOException {
        TraceFolder.promptCounts(directory);
        RoutingTrace trace = RoutingTrace.read(directory);

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> TraceSamples.of(trace, SignatureSource.parse("decode:1")))
                .withMessageContaining("the longest has 0");
    }

    @Test
    void sourcesReadAsTheyAreWritten() {
        assertThat(SignatureSource.parse("prefill"))
                .isEqualTo(new SignatureSource.Prefill())
                .hasToString("prefill");
        assertThat(SignatureSource.parse("decode:48"))
                .isEqualTo(new SignatureSource.Decode(48))
                .hasToString("decode:48");
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(
            strings = {
                "",
                "Prefill",
                "decode",
                "decode:",
                "decode:0",
                "decode:-1",
                "decode:1.5",
                "decode:1e3",
                "decode: 4",
                "decode:99999999999",
                "decode:100000000",
                "answer"
            })
    void refusesOtherSources(String text) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> SignatureSource.parse(text))
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo("--signature-from"));
    }

    /** One layer of three experts, k = 1; the tokens of the file choose 0 1 2 0 1 2. */
    private RoutingTrace oneLayer(String... index) throws IOException {
        new TraceFolder(directory)
                .meta("{'format':'moe-routing-u8-v1','model':'m','layers':1,'experts':3,'topK':1}")
                .index(index)
                .experts(0, 1, 2, 0, 1, 2);
        return RoutingTrace.read(directory);
    }
}
