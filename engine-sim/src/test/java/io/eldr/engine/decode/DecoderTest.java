package io.eldr.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.eldr.core.cost.ActiveExperts;
import io.eldr.core.cost.DecoderModel;
import io.eldr.core.cost.ModelConstants;
import io.eldr.engine.recording.RecordedRequest;
import io.eldr.engine.testing.TestCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class DecoderTest {
    private static final int PROMPT = 100;

    private final ModelTime time = new ModelTime(0);
    private final List<Step> steps = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger preemptions = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final DecoderListener listener = new DecoderListener() {
        @Override
        public void onStep(double millis, int batch, int activeExperts) {
            steps.add(new Step(millis, batch, activeExperts));
        }

        @Override
        public void onPreemption() {
            preemptions.incrementAndGet();
        }
    };

    private record Step(double millis, int batch, int activeExperts) {}

    @AfterEach
    void stop() {
        time.close();
    }

    @Test
    void aStepTakesWhatTheUnionOfItsTokensCosts() {
        DecoderModel model = model(1_000_000);
        Decoder decoder = new Decoder(model, time, 64, listener);
        decoder.submit(sequence(0, 3));

        await().until(() -> ended.get() == 1);

        assertThat(steps).hasSize(3);
        for (int token = 0; token < 3; token++) {
            ActiveExperts experts = new ActiveExperts(4, 16);
            request(0).addDecoded(token, experts);
            assertThat(steps.get(token).activeExperts()).isEqualTo(experts.total());
            assertThat(steps.get(token).millis())
                    .isCloseTo(model.stepMillis(experts.total(), 1, PROMPT + token), within(1e-9));
        }
    }

    /** Requests 0, 8, 16.. are of one domain. */
    @Test
    void aBatchOfOneDomainLoadsFewerExpertsThanAMixedOne() {
        assertThat(meanExperts(8)).isLessThan(0.9 * meanExperts(9));
    }

    private double meanExperts(int stride) {
        steps.clear();
        ended.set(0);
        // All join the same first step: nothing runs before they are there.
        Decoder decoder = new Decoder(model(1_000_000), time, 64, listener);
        synchronized (decoder) {
            for (int i = 0; i < 6; i++) {
                decoder.submit(sequence(i * stride % 64, 40));
            }
        }
        await().until(() -> ended.get() == 6);
        assertThat(steps).hasSize(40);
        return steps.stream().mapToInt(Step::activeExperts).average().orElseThrow();
    }

    @Test
    void noMoreRunAtOnceThanThereArePlaces() {
        Decoder decoder = new Decoder(model(1_000_000), time, 3, listener);
        synchronized (decoder) {
            for (int i = 0; i < 10; i++) {
                decoder.submit(sequence(i, 5));
            }
            assertThat(decoder.waiting(0)).isEqualTo(10);
        }

        await().until(() -> ended.get() == 10);

        assertThat(steps).allMatch(step -> step.batch() <= 3);
        assertThat(steps.stream().mapToInt(Step::batch).sum()).isEqualTo(50);
    }

    @Test
    void theNewestWaitsAgainWhereContextsOutgrowTheBlocks() {
        Decoder decoder = new Decoder(model(2 * PROMPT + 10), time, 8, listener);
        synchronized (decoder) {
            decoder.submit(sequence(0, 30));
            decoder.submit(sequence(1, 30));
        }

        await().until(() -> ended.get() == 2);

        assertThat(preemptions).hasPositiveValue();
        assertThat(steps.stream().mapToInt(Step::batch).sum()).isEqualTo(60);
        assertThat(decoder.kvTokens()).isZero();
    }

    @Test
    void nothingIsHeardOfASequenceThatWasCancelled() {
        Decoder decoder = new Decoder(model(1_000_000), time, 1, listener);
        Sequence first = sequence(0, 5);
        Sequence cancelled = sequence(1, 5);
        synchronized (decoder) {
            decoder.submit(cancelled);
            decoder.submit(first);
            decoder.cancel(cancelled);
        }

        await().until(() -> ended.get() == 1);

        assertThat(steps).hasSize(5);
        assertThat(decoder.running(0)).isZero();
        assertThat(decoder.waiting(0)).isZero();
    }

    private Sequence sequence(int recorded, int length) {
        return new Sequence(request(recorded), PROMPT, length, 0, Optional.empty(), 0, new SequenceListener() {
            @Override
            public void onToken(int index) {}

            @Override
            public void onEnd(Sequence sequence) {
                ended.incrementAndGet();
            }
        });
    }

    private static RecordedRequest request(int index) {
        return TestCluster.RECORDINGS.requests().get(index);
    }

    private static DecoderModel model(long kvCapacity) {
        ModelConstants scaled = ModelConstants.scaledToQwen(4, 16);
        return new DecoderModel(new ModelConstants(
                scaled.name(),
                scaled.layers(),
                scaled.experts(),
                scaled.expertMicros(),
                scaled.layerExperts(),
                scaled.requestExperts(),
                scaled.stepMicros(),
                scaled.kvTokenMicros(),
                scaled.prefillMicros(),
                scaled.prefillTokenMicros(),
                scaled.handoffMicros(),
                scaled.handoffTokenMicros(),
                scaled.rankLayerMicros(),
                scaled.maxSequences(),
                kvCapacity));
    }
}
