package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.load.LoadView;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundRobinPolicyTest {
    private final RoutingPolicy policy = PolicyName.ROUND_ROBIN.create();

    @Test
    void equalDecodersTakeTurnsInTheirOrder() {
        assertThat(choices(6, DecisionRequest.unknown(), TestPools.decoders(3))).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void theTurnsOfAnExcludedDecoderAreSharedByAllOthers() {
        assertThat(choices(6, DecisionRequest.unknown().notTo(Set.of("decoder-1")), TestPools.decoders(4)))
                .containsExactly(0, 2, 3, 0, 2, 3);
    }

    @Test
    void fallbacksFollowInTheOrderOfTurns() {
        choices(2, DecisionRequest.unknown(), TestPools.decoders(4));
        Decision.Chosen chosen = decide(DecisionRequest.unknown(), TestPools.decoders(4));

        assertThat(chosen.fallbacks().stream().map(Decoder::id)).containsExactly("decoder-3", "decoder-0", "decoder-1");
    }

    @Test
    void heavierDecodersHaveTheirTurnsSpreadOut() {
        List<Decoder> decoders =
                List.of(TestPools.decoder("a", 1), TestPools.decoder("b", 2), TestPools.decoder("c", 1));
        List<Integer> choices = choices(400, DecisionRequest.unknown(), decoders);

        for (int from = 0; from < 400; from += 40) {
            assertThat(choices.subList(from, from + 40).stream()
                            .filter(i -> i == 1)
                            .count())
                    .isBetween(17L, 23L);
        }
    }

    private List<Integer> choices(int turns, DecisionRequest request, List<Decoder> decoders) {
        return IntStream.range(0, turns)
                .mapToObj(_ -> decide(request, decoders).index())
                .toList();
    }

    private Decision.Chosen decide(DecisionRequest request, List<Decoder> decoders) {
        return (Decision.Chosen) policy.decide(
                request, TestPools.withoutArtifact(decoders), LoadView.idle(decoders.size()), new SplittableRandom(1));
    }
}
