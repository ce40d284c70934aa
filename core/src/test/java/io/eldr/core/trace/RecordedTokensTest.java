package io.eldr.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.signature.ExpertCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedTokensTest {
    @TempDir
    Path directory;

    @Test
    void theTokensOfTheAnswerAreTakenAndThoseOfThePromptAreNot() throws IOException {
        TraceFolder.tokenExperts(directory);
        RoutingTrace trace = RoutingTrace.read(directory);
        DecodeTokens tokens = DecodeTokens.recorded(trace, new SignatureSource.Prefill());
        assertThat(tokens.origin()).isEqualTo(TokenOrigin.RECORDED);
        ExpertSets sets = tokens.of(sample("a"), 5, 1).orElseThrow();
        assertThat(sets.tokens()).isEqualTo(1);
        assertThat(chosen(sets, trace, 0)).isEqualTo("1010");
        assertThat(chosen(sets, trace, 1)).isEqualTo("1100");
        assertThat(tokens.of(sample("b"), 5, 1)).isEmpty();
        assertThat(tokens.of(sample("nobody"), 5, 1)).isEmpty();
    }

    @Test
    void tokensThatStandInForThePromptAreNotDecodedOnes() throws IOException {
        new TraceFolder(directory)
                .meta("{'format':'moe-routing-u8-v1','model':'tiny','layers':1,'experts':4,'topK':1,'requests':1}")
                .index("{'id':'a','prefillTokens':0,'decodeTokens':4,'offset':0}")
                .experts(0, 1, 2, 3);
        RoutingTrace trace = RoutingTrace.read(directory);
        DecodeTokens tokens = DecodeTokens.recorded(trace, new SignatureSource.Decode(2));
        ExpertSets sets = tokens.of(sample("a"), 8, 1).orElseThrow();
        assertThat(sets.tokens()).isEqualTo(2);
        assertThat(sets.contains(0, 0, 2, trace.geometry())).isTrue();
        assertThat(sets.contains(1, 0, 3, trace.geometry())).isTrue();
    }

    private static RequestSample sample(String id) {
        return new RequestSample(id, "", 1, ExpertCounts.zero(2, 4), Optional.empty(), 0);
    }

    private static String chosen(ExpertSets sets, RoutingTrace trace, int layer) {
        StringBuilder bits = new StringBuilder();
        for (int e = 0; e < 4; e++) {
            bits.append(sets.contains(0, layer, e, trace.geometry()) ? '1' : '0');
        }
        return bits.toString();
    }
}
