package io.eldr.engine.prefill;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.engine.recording.RecordedRequest;
import io.eldr.engine.request.FinishReason;
import io.eldr.engine.request.GenerationRequest;
import io.eldr.engine.request.KvTransfer;
import io.eldr.engine.request.Prompt;
import io.eldr.engine.testing.TestCluster;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrefixCacheTest {
    private static final int CAPACITY = 40 * Prompt.BLOCK_TOKENS;

    private final PrefixCache cache = new PrefixCache(TestCluster.GEOMETRY, CAPACITY);

    /** Prompts that share beginnings, of which only some are still here. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void signaturesAreExactUnderPartialHitsAndEvictions(long seed) {
        Random random = new Random(seed);
        int hits = 0;
        int misses = 0;
        for (int i = 0; i < 300; i++) {
            int conversation = random.nextInt(12);
            GenerationRequest request =
                    request("conversation " + conversation + " ".repeat(random.nextInt(900)), conversation % 3);
            int cached = cache.cachedTokens(request);
            hits += cached;
            misses += request.prompt().tokens() - cached;

            ExpertCounts counts = cache.count(request);

            assertThat(counts).isEqualTo(plain(request));
            counts.requireRowSums("counts", request.prompt().tokens(), TestCluster.GEOMETRY.topK());
            assertThat(cached).isLessThan(request.prompt().tokens());
            assertThat(cache.blocks()).isLessThanOrEqualTo(CAPACITY / Prompt.BLOCK_TOKENS);
        }
        assertThat(hits).isPositive();
        assertThat(misses).isPositive();
    }

    @Test
    void findsTheWholeBlocksOfABeginning() {
        cache.count(request("a".repeat(4 * 16 * 3), 0));

        assertThat(cache.cachedTokens(request("a".repeat(4 * 16 * 3) + "more", 0)))
                .isEqualTo(3 * 16);
        assertThat(cache.cachedTokens(request("a".repeat(4 * 16 * 3), 0)))
                .as("the last token is always computed")
                .isEqualTo(2 * 16);
        assertThat(cache.cachedTokens(request("a".repeat(4 * 20) + "b".repeat(400), 0)))
                .isEqualTo(16);
        assertThat(cache.cachedTokens(request("b" + "a".repeat(400), 0))).isZero();
        assertThat(cache.cachedTokens(request("a".repeat(400), 1)))
                .as("another recorded request uses other experts")
                .isZero();
    }

    @Test
    void withoutRoomItKeepsNothing() {
        PrefixCache none = new PrefixCache(TestCluster.GEOMETRY, 0);
        GenerationRequest request = request("a".repeat(400), 0);

        assertThat(none.count(request)).isEqualTo(plain(request));
        assertThat(none.blocks()).isZero();
    }

    private static ExpertCounts plain(GenerationRequest request) {
        int[] cells = new int[TestCluster.GEOMETRY.cells()];
        request.recorded().countPrompt(0, request.prompt().tokens(), cells);
        return ExpertCounts.of(TestCluster.GEOMETRY.layers(), TestCluster.GEOMETRY.experts(), cells);
    }

    private static GenerationRequest request(String text, int recorded) {
        RecordedRequest experts = TestCluster.RECORDINGS.requests().get(recorded);
        return new GenerationRequest(
                GenerationRequest.Kind.COMPLETION,
                "m",
                Prompt.ofText(text),
                experts,
                1,
                FinishReason.LENGTH,
                1,
                false,
                false,
                false,
                new KvTransfer.Produce(false),
                Optional.empty(),
                OptionalInt.empty(),
                "r");
    }
}
