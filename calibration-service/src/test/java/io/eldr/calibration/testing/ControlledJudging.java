package io.eldr.calibration.testing;

import io.eldr.calibration.refit.Judging;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.GateRule;
import io.eldr.core.calibration.GateVerdict;
import io.eldr.core.trace.RequestSample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** A gate that says what the test wants it to, when it wants it to, and remembers what it was asked. */
public final class ControlledJudging implements Judging {
    private final AtomicReference<CountDownLatch> open = new AtomicReference<>(new CountDownLatch(0));
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile Optional<String> objection = Optional.empty();

    /** What it was asked. */
    public record Call(List<String> requests, GateRule rule, boolean besideActive) {}

    /** Puts it in the place of the core's. */
    public static class Replacement {
        @Bean
        @Primary
        ControlledJudging controlledJudging() {
            return new ControlledJudging();
        }
    }

    /** From now on every candidate is rejected for this reason. */
    public void object(String reason) {
        objection = Optional.of(reason);
    }

    /** From now on every candidate passes. */
    public void agree() {
        objection = Optional.empty();
    }

    /** From now on no judgement comes to its end. */
    public void hold() {
        open.set(new CountDownLatch(1));
    }

    public void release() {
        open.get().countDown();
    }

    public List<Call> calls() {
        return List.copyOf(calls);
    }

    @Override
    public GateVerdict judge(
            RoutingArtifact candidate,
            Optional<RoutingArtifact> active,
            List<RequestSample> requests,
            GateRule rule,
            long seed) {
        calls.add(new Call(requests.stream().map(RequestSample::id).toList(), rule, active.isPresent()));
        try {
            open.get().await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        }
        return new GateVerdict(
                objection.isEmpty(),
                rule,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.of(0.5),
                OptionalDouble.empty(),
                0.6,
                requests.size(),
                objection.stream().toList(),
                List.of());
    }
}
