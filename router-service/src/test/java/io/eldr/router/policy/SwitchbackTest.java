package io.eldr.router.policy;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Two policies in turn, and what each is found to take for a token. */
class SwitchbackTest {

    private static final SwitchbackRule RULE = new SwitchbackRule(PolicyName.ELDR, PolicyName.JSQ, 10);
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aDifferenceBetweenThePoliciesIsFoundWithItsInterval(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        SwitchbackTrial trial = trialOf(24, random, 20, 25);
        PolicyAnswers.Switchback shown = PolicyAnswers.Switchback.of("p", trial, NOON);
        PolicyAnswers.Arm eldr = shown.arms().orElseThrow().getFirst();
        assertThat(eldr.policy()).isEqualTo("eldr");
        assertThat(eldr.windows()).isEqualTo(12);
        assertThat(eldr.requests()).isEqualTo(12 * 60);
        assertThat(eldr.medianTpotMs().orElseThrow()).isCloseTo(20, within(1.0));
        Medians.Interval change = shown.change().orElseThrow().interval().orElseThrow();
        assertThat(shown.change().orElseThrow().median()).isBetween(change.low(), change.high());
        assertThat(change.low()).isBetween(0.1, 0.25);
        assertThat(change.high()).isBetween(0.25, 0.4);
    }

    @Test
    void whereThereIsNoDifferenceTheIntervalHoldsZeroNineteenTimesOfTwenty() {
        int holds = 0;
        for (long seed = 0; seed < 200; seed++) {
            SwitchbackTrial trial = trialOf(24, new SplittableRandom(seed), 20, 20);
            Medians.Interval change = PolicyAnswers.Switchback.of("p", trial, NOON)
                    .change()
                    .orElseThrow()
                    .interval()
                    .orElseThrow();
            holds += change.low() <= 0 && change.high() >= 0 ? 1 : 0;
        }
        assertThat(holds).isBetween(180, 200);
    }

    @Test
    void whatRanAcrossAChangeOrWasPlacedByTheOtherPolicyDoesNotCount() {
        SwitchbackTrial trial = new SwitchbackTrial(RULE, NOON.plus(Duration.ofMinutes(3)), new SplittableRandom(1));
        PolicyName now = RULE.windowAt(NOON).policy();
        PolicyName other = now == PolicyName.ELDR ? PolicyName.JSQ : PolicyName.ELDR;
        Instant middle = NOON.plus(Duration.ofMinutes(5));
        trial.add(TpotSource.CLOSES, middle, middle.plusSeconds(3), Optional.of(other), 1, 9);
        trial.add(TpotSource.CLOSES, NOON.plusSeconds(30), NOON.plusSeconds(90), Optional.of(now), 1, 9);
        trial.add(TpotSource.CLOSES, NOON.plusSeconds(120), middle, Optional.of(now), 1, 9);
        trial.add(TpotSource.CLOSES, middle, NOON.plus(Duration.ofMinutes(10)), Optional.of(now), 1, 9);
        trial.add(TpotSource.CLOSES, middle, middle.plusSeconds(3), Optional.of(now), 1, 0);
        assertThat(trial.leftOut()).isEqualTo(5);
        assertThat(trial.requests(now)).isZero();
        trial.add(TpotSource.CLOSES, middle, middle.plusSeconds(3), Optional.of(now), 1, 9);
        trial.add(TpotSource.CLOSES, middle, middle.plusSeconds(3), Optional.empty(), 1, 9);
        assertThat(trial.requests(now)).isEqualTo(2);
        assertThat(trial.medians(now)).isEmpty();
    }

    @Test
    void aTrialGoesByOneSourceSoThatNoRequestCountsTwice() {
        SwitchbackTrial trial = trialOf(6, new SplittableRandom(1), 20, 25);
        assertThat(trial.source()).isEqualTo(TpotSource.CLOSES);
        double[] closes = trial.medians(PolicyName.ELDR);
        for (int i = 0; i < 6; i++) {
            Instant settled =
                    RULE.windowAt(NOON.plus(Duration.ofMinutes(10L * i))).settled();
            trial.add(TpotSource.ENGINES, settled, settled.plusSeconds(1), Optional.empty(), 60, 99);
        }
        assertThat(trial.source()).as("as many windows").isEqualTo(TpotSource.CLOSES);
        assertThat(trial.requests(PolicyName.ELDR)).isEqualTo(3 * 60);
        assertThat(trial.medians(PolicyName.ELDR)).containsExactly(closes);

        Instant later = RULE.windowAt(NOON.plus(Duration.ofMinutes(60))).settled();
        trial.add(TpotSource.ENGINES, later, later.plusSeconds(1), Optional.empty(), 10, 99);
        assertThat(trial.source()).isEqualTo(TpotSource.ENGINES);
        assertThat(trial.requests(PolicyName.ELDR) + trial.requests(PolicyName.JSQ))
                .isEqualTo(6 * 60 + 10);
        assertThat(trial.medians(PolicyName.ELDR)).containsOnly(99);
    }

    @Test
    void memoryIsBoundedHoweverLongATrialLasts() {
        SwitchbackTrial trial = trialOf(SwitchbackTrial.MOST + 50, new SplittableRandom(1), 20, 20);
        assertThat(trial.medians(PolicyName.ELDR).length + trial.medians(PolicyName.JSQ).length)
                .isEqualTo(SwitchbackTrial.MOST);
        WindowTpot window = new WindowTpot(PolicyName.JSQ);
        RandomGenerator random = new SplittableRandom(1);
        for (int i = 0; i < 50_000; i++) {
            window.add(i, random);
        }
        assertThat(window.requests()).isEqualTo(50_000);
        assertThat(window.median().orElseThrow()).isCloseTo(25_000, within(3_000.0));
    }

    @Test
    void theRouterServesThePolicyWhoseTurnItIsAndMeasuresIt() {
        SharedRouter.servingPool("turns", 2);
        assertThat(switchback("turns").has("arms")).isFalse();
        REGISTRY.jdbc()
                .sql("update pool set switchback_first = 'p2c', switchback_second = 'jsq', switchback_minutes = 1440"
                        + " where name = 'turns'")
                .update();
        String turn = await().until(
                        () -> switchback("turns").at("/current/policy").asString(""), policy -> !policy.isEmpty());
        await().until(() -> policy("turns").equals(turn));
        assertThat(turn).isIn("p2c", "jsq");

        Answer opened = ROUTER.post("/v1/route", body("turns", "t"));
        assertThat(opened.json().path("policy").asString()).isEqualTo(turn);
        assertThat(ROUTER.post(
                                "/v1/reservations/"
                                        + opened.json().at("/reservation/id").asString() + "/close",
                                "{\"outcome\":\"completed\",\"tpotMs\":21.5}")
                        .status())
                .isEqualTo(204);
        JsonNode shown = switchback("turns");
        assertThat(shown.path("minutes").asInt()).isEqualTo(1440);
        int counted = shown.path("leftOut").asInt();
        for (JsonNode arm : shown.path("arms")) {
            counted += arm.path("requests").asInt();
        }
        // In the first minute of a day in UTC it is left out, else it counts.
        assertThat(counted).isEqualTo(1);

        REGISTRY.jdbc()
                .sql("update pool set switchback_first = null, switchback_second = null, switchback_minutes = null"
                        + " where name = 'turns'")
                .update();
        await().until(() -> policy("turns").equals("eldr"));
        assertThat(switchback("turns").has("arms")).isFalse();
    }

    /** Windows of 60 requests each, in which all share some of their luck. */
    private static SwitchbackTrial trialOf(int windows, RandomGenerator random, double eldr, double jsq) {
        SwitchbackTrial trial = new SwitchbackTrial(RULE, Instant.EPOCH, random);
        for (int i = 0; i < windows; i++) {
            SwitchbackRule.Window window = RULE.windowAt(NOON.plus(Duration.ofMinutes(10L * i)));
            double level = (window.policy() == PolicyName.ELDR ? eldr : jsq) * (1 + 0.05 * random.nextGaussian());
            for (int request = 0; request < 60; request++) {
                Instant from = window.settled().plusSeconds(request);
                trial.add(
                        TpotSource.CLOSES,
                        from,
                        from.plusSeconds(2),
                        Optional.of(window.policy()),
                        1,
                        level * (1 + 0.1 * random.nextGaussian()));
            }
        }
        return trial;
    }

    private static JsonNode switchback(String pool) {
        return ROUTER.get("/v1/pools/" + pool + "/switchback").json();
    }

    private static String policy(String pool) {
        return ROUTER.get("/v1/pools/" + pool + "/decoders")
                .json()
                .path("policy")
                .asString();
    }
}
