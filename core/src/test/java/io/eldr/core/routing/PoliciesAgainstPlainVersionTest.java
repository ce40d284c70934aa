package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.LoadView;
import io.eldr.core.signature.Representation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every policy against its definition on random pools, requests and loads. */
class PoliciesAgainstPlainVersionTest {
    private static final int CASES = 10_000;
    /** How much rounding the centroids to 16 bits may change a similarity. */
    private static final double ROUNDING = 1e-4;

    @ParameterizedTest(name = "{0}")
    @EnumSource(PolicyName.class)
    void decidesAsThePlainVersionOfThePolicy(PolicyName policy) {
        int otherDecoder = 0;
        int otherFallbacks = 0;
        for (long seed = 0; seed < CASES; seed++) {
            Case drawn = Case.draw(new SplittableRandom(seed));
            List<Integer> actual = drawn.ranking(policy, seed);
            List<Integer> expected = drawn.plain(seed).ranking(policy);
            if (!actual.equals(expected)) {
                assertThat(policy == PolicyName.ELDR && drawn.isCloseCall())
                        .as("seed %s: %s instead of %s", seed, actual, expected)
                        .isTrue();
                otherFallbacks++;
                otherDecoder += actual.getFirst().equals(expected.getFirst()) ? 0 : 1;
            }
        }

        assertThat(otherDecoder).as("other decoders").isLessThan(CASES / 1_000);
        assertThat(otherFallbacks).as("other decoders or fallbacks").isLessThan(CASES / 100);
    }

    /** One decision to be made. */
    private record Case(
            Optional<RoutingArtifact> artifact,
            List<Decoder> decoders,
            DecisionRequest request,
            List<Integer> inFlight,
            BandRule band,
            int turn) {
        static Case draw(RandomGenerator random) {
            int layers = random.nextInt(1, 5);
            int experts = random.nextInt(2, 13);
            int count = random.nextInt(1, 13);
            boolean equalWeights = random.nextBoolean();
            List<Decoder> decoders = new ArrayList<>();
            List<Integer> inFlight = new ArrayList<>();
            Set<String> some = new HashSet<>();
            for (int i = 0; i < count; i++) {
                String slot = "decoder-" + i;
                decoders.add(
                        random.nextInt(4) == 0
                                ? TestPools.limited(slot, 3)
                                : TestPools.decoder(slot, equalWeights ? 1 : 1 + random.nextInt(3)));
                inFlight.add(random.nextInt(-1, 5));
                if (random.nextBoolean()) {
                    some.add(slot);
                }
            }
            Representation[] representations = Representation.values();
            Optional<RoutingArtifact> artifact = random.nextInt(10) == 0
                    ? Optional.empty()
                    : Optional.of(TestPools.randomArtifact(
                            random, representations[random.nextInt(representations.length)], layers, experts, count));
            DecisionRequest request = random.nextInt(10) == 0
                    ? DecisionRequest.unknown()
                    : DecisionRequest.of(TestPools.randomCounts(random, layers, experts));
            return new Case(
                    artifact,
                    decoders,
                    switch (random.nextInt(4)) {
                        case 0 -> request.onlyTo(some);
                        case 1 -> request.notTo(some);
                        default -> request;
                    },
                    inFlight,
                    new BandRule(random.nextInt(8) * 0.03 + (random.nextInt(9) == 0 ? 1 : 0), random.nextInt(1, 4)),
                    random.nextInt(5));
        }

        /** As the policy decides after as many decisions as there were turns. */
        List<Integer> ranking(PolicyName name, long seed) {
            PoolSnapshot snapshot = artifact.isEmpty()
                    ? PoolSnapshot.of("demo", 0, Optional.empty(), decoders, band, true)
                    : TestPools.snapshot(artifact.get(), decoders, band.tau(), band.minCandidates());
            RoutingPolicy policy = name.create();
            LoadView loads = LoadView.fixed(inFlightArray());
            for (int i = 0; i < turn; i++) {
                policy.decide(request, snapshot, loads, new SplittableRandom(seed));
            }
            return policy.decide(request, snapshot, loads, new SplittableRandom(seed)) instanceof Decision.Chosen chosen
                    ? Stream.concat(
                                    Stream.of(chosen.index()),
                                    chosen.fallbacks().stream().map(decoders::indexOf))
                            .toList()
                    : List.of();
        }

        PlainPolicies plain(long seed) {
            return new PlainPolicies(
                    artifact, decoders, request, inFlightArray(), band, turn, new SplittableRandom(seed));
        }

        private int[] inFlightArray() {
            return inFlight.stream().mapToInt(i -> i).toArray();
        }

        boolean isCloseCall() {
            return plain(0).similarities()
                    .filter(similarities -> PlainPolicies.isCloseCall(similarities, band, ROUNDING))
                    .isPresent();
        }
    }
}
