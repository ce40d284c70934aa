package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.LoadView;
import io.eldr.core.signature.Representation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every policy keeps to, whatever it prefers. */
abstract class RoutingPolicyContract {
    private static final int LAYERS = 3;
    private static final int EXPERTS = 8;

    abstract PolicyName name();

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    /** A pool, a request and loads drawn by a seed. */
    private record Situation(PoolSnapshot snapshot, DecisionRequest request, List<Integer> inFlight) {
        static Situation draw(RandomGenerator random) {
            int decoderCount = random.nextInt(1, 13);
            List<Decoder> decoders = new ArrayList<>();
            int[] inFlight = new int[decoderCount];
            Set<String> exclude = new HashSet<>();
            Set<String> candidates = new HashSet<>();
            for (int i = 0; i < decoderCount; i++) {
                String slot = "decoder-" + i;
                decoders.add(
                        random.nextBoolean()
                                ? TestPools.decoder(slot, 1 + random.nextInt(3))
                                : TestPools.limited(slot, 4));
                inFlight[i] = random.nextInt(-1, 7);
                if (random.nextInt(4) == 0) {
                    exclude.add(slot);
                }
                if (random.nextInt(4) != 0) {
                    candidates.add(slot);
                }
            }
            RoutingArtifact artifact =
                    TestPools.randomArtifact(random, Representation.COUNT, LAYERS, EXPERTS, random.nextInt(1, 10));
            PoolSnapshot snapshot = random.nextInt(5) == 0
                    ? TestPools.withoutArtifact(decoders)
                    : TestPools.snapshot(artifact, decoders, random.nextInt(4) * 0.05, random.nextInt(1, 4));
            DecisionRequest request = random.nextInt(5) == 0
                    ? DecisionRequest.unknown()
                    : DecisionRequest.of(TestPools.randomCounts(random, LAYERS, EXPERTS));
            return new Situation(
                    snapshot,
                    random.nextBoolean()
                            ? request.notTo(exclude)
                            : request.onlyTo(candidates).notTo(exclude),
                    Arrays.stream(inFlight).boxed().toList());
        }

        boolean allows(int decoder) {
            return inFlight.get(decoder) >= 0
                    && request.allows(snapshot.decoder(decoder).id());
        }

        List<Integer> available() {
            return IntStream.range(0, inFlight.size())
                    .filter(this::allows)
                    .filter(i -> !snapshot.decoder(i).isFullAt(inFlight.get(i)))
                    .boxed()
                    .toList();
        }

        boolean isAnyAllowed() {
            return IntStream.range(0, inFlight.size()).anyMatch(this::allows);
        }

        Decision decide(RoutingPolicy policy, long seed) {
            return policy.decide(
                    request,
                    snapshot,
                    LoadView.fixed(inFlight.stream().mapToInt(i -> i).toArray()),
                    new SplittableRandom(seed));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void choosesOnlyDecodersThatMayTakeTheRequest(long seed) {
        Situation situation = Situation.draw(new SplittableRandom(seed));
        List<Integer> available = situation.available();

        switch (situation.decide(name().create(), seed)) {
            case Decision.Chosen chosen -> {
                assertThat(available).contains(chosen.index());
                assertThat(chosen.decoder())
                        .isEqualTo(situation.snapshot().decoders().get(chosen.index()));
                assertThat(chosen.seen()).isEqualTo(situation.inFlight().get(chosen.index()));
                assertThat(chosen.policy()).isEqualTo(name());
                assertThat(chosen.version()).isEqualTo(situation.snapshot().version());
            }
            case Decision.AllAtCapacity _ -> {
                assertThat(available).isEmpty();
                assertThat(situation.isAnyAllowed()).isTrue();
            }
            case Decision.NoneEligible _ -> assertThat(situation.isAnyAllowed()).isFalse();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void fallbacksAreDistinctAndCouldTakeTheRequestToo(long seed) {
        Situation situation = Situation.draw(new SplittableRandom(seed));

        if (situation.decide(name().create(), seed) instanceof Decision.Chosen chosen) {
            List<Decoder> others = situation.available().stream()
                    .filter(i -> i != chosen.index())
                    .map(situation.snapshot()::decoder)
                    .toList();
            assertThat(chosen.fallbacks())
                    .doesNotHaveDuplicates()
                    .isSubsetOf(others)
                    .hasSize(Math.min(others.size(), Decision.MAX_FALLBACKS));
        } else {
            assertThat(situation.available()).isEmpty();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theSameSeedMakesTheSameDecision(long seed) {
        Situation situation = Situation.draw(new SplittableRandom(seed));

        Decision first = situation.decide(name().create(), seed);
        Decision second = situation.decide(name().create(), seed);

        if (first instanceof Decision.Chosen one && second instanceof Decision.Chosen other) {
            assertThat(one.decoder()).isEqualTo(other.decoder());
            assertThat(one.fallbacks()).isEqualTo(other.fallbacks());
            assertThat(one.reason()).isEqualTo(other.reason());
        } else {
            assertThat(first).isEqualTo(second);
        }
    }

    @Test
    void aPoolWithoutDecodersHasNoneEligible() {
        assertThat(decideFor(List.of())).isEqualTo(new Decision.NoneEligible());
    }

    @Test
    void aPoolWhoseDecodersAreAllFullIsAtCapacity() {
        List<Decoder> decoders = List.of(TestPools.limited("a", 2), TestPools.limited("b", 1));

        assertThat(decideFor(decoders, 2, 1)).isEqualTo(new Decision.AllAtCapacity());
        assertThat(decideFor(decoders, 2, 0))
                .isInstanceOfSatisfying(
                        Decision.Chosen.class,
                        chosen -> assertThat(chosen.decoder().id()).isEqualTo("b"));
    }

    @Test
    void loadsOfAnotherPoolAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> decideFor(TestPools.decoders(3), 0, 0));
    }

    @Test
    void aDecoderOfThreeTimesTheWeightGetsThreeTimesTheRequests() {
        List<Decoder> decoders = List.of(
                TestPools.decoder("a", 1),
                TestPools.decoder("b", 3),
                TestPools.decoder("c", 1),
                TestPools.decoder("d", 1));
        int[] inFlight = sendWithoutEnd(decoders, 6_000);

        assertThat(inFlight[1] / 6_000.0).isCloseTo(0.5, within(0.03));
    }

    @Test
    void equalDecodersShareRequestsEqually() {
        int[] inFlight = sendWithoutEnd(TestPools.decoders(8), 8_000);

        for (int count : inFlight) {
            assertThat(count).isBetween(850, 1_150);
        }
    }

    @Test
    void requestsThatMeetAnIdlePoolOneByOneDoNotAllGoToTheSameDecoder() {
        RoutingPolicy policy = name().create();
        RandomGenerator random = new SplittableRandom(1);
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            Decision decision = policy.decide(
                    DecisionRequest.unknown(),
                    TestPools.withoutArtifact(TestPools.decoders(8)),
                    LoadView.idle(8),
                    random);
            used.add(((Decision.Chosen) decision).index());
        }

        assertThat(used).hasSize(8);
    }

    /** How many of the requests each decoder got, none of which ends. */
    private int[] sendWithoutEnd(List<Decoder> decoders, int requests) {
        RoutingPolicy policy = name().create();
        RandomGenerator random = new SplittableRandom(1);
        PoolSnapshot snapshot = TestPools.withoutArtifact(decoders);
        int[] inFlight = new int[decoders.size()];
        for (int i = 0; i < requests; i++) {
            Decision decision = policy.decide(DecisionRequest.unknown(), snapshot, LoadView.fixed(inFlight), random);
            inFlight[((Decision.Chosen) decision).index()]++;
        }
        return inFlight;
    }

    private Decision decideFor(List<Decoder> decoders, int... inFlight) {
        return name().create()
                .decide(
                        DecisionRequest.unknown(),
                        PoolSnapshot.of("demo", 0, Optional.empty(), decoders, new BandRule(0.1, 2), true),
                        LoadView.fixed(inFlight),
                        new SplittableRandom(1));
    }
}
