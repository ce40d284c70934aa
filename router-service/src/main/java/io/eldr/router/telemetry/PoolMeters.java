package io.eldr.router.telemetry;

import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.Outcome;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.Reason;
import io.eldr.router.artifact.LoadedArtifact;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.WorkerView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The meters of one pool; they go when the pool goes. */
final class PoolMeters {

    private static final Duration[] LATENCIES = {
        Duration.ofNanos(10_000),
        Duration.ofNanos(25_000),
        Duration.ofNanos(50_000),
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofMillis(1),
        Duration.ofMillis(5)
    };

    private record Choice(PolicyName policy, Reason reason) {}

    private final MeterRegistry registry;
    private final String name;
    private final Map<Choice, Timer> decisions = new ConcurrentHashMap<>();
    private final Map<Outcome, Counter> closed = new ConcurrentHashMap<>();
    private final Counter opened;
    private final Counter expired;
    private final Counter noneEligible;
    private final Counter saturated;
    private final Map<String, Counter> bySlot = new ConcurrentHashMap<>();
    private final DistributionSummary similarities;
    private final DistributionSummary bands;
    private final Counter activationsRefused;
    private final DecoderMeters decoders;
    private final ConcurrentLinkedQueue<Meter> all = new ConcurrentLinkedQueue<>();

    PoolMeters(MeterRegistry registry, Pool pool, LoadLedger ledger, InstantSource clock) {
        this.registry = registry;
        this.name = pool.name();
        opened = counter("eldr.router.reservations.opened", "Reservations opened", "", "");
        expired = counter("eldr.router.reservations.expired", "Reservations whose lease ended", "", "");
        String refused = "eldr.router.reservations.refused";
        noneEligible = counter(refused, "Requests that no decoder could take", "reason", "no-decoder");
        saturated = counter(refused, "Requests that no decoder could take", "reason", "saturated");
        similarities = summary("eldr.router.similarity", "Similarity of requests to the cluster of their decoder");
        bands = summary("eldr.router.band.size", "Decoders among which the least loaded was chosen");
        activationsRefused =
                counter("eldr.router.activations.refused", "Activations that this router did not follow", "", "");
        decoders = new DecoderMeters(registry, name, ledger);
        decoders.show(pool.state());
        all.addAll(List.of(
                gauge(pool, "eldr.router.reservations.open", "Reservations open now", p -> inFlight(p, ledger)),
                gauge(
                        pool,
                        "eldr.router.generation",
                        "The activation generation that serves; 0 without an artifact",
                        p -> p.state().version().generation()),
                gauge(
                        pool,
                        "eldr.router.artifact.age.seconds",
                        "Since the serving artifact was taken in; NaN without one",
                        p -> age(p, clock)),
                gauge(
                        pool,
                        "eldr.router.degraded",
                        "1 while the pool runs on less than it should",
                        p -> p.state().degraded() ? 1 : 0)));
    }

    void decided(Decision.Chosen chosen, long nanos) {
        Choice choice = new Choice(chosen.policy(), chosen.reason());
        Timer timer = decisions.get(choice);
        if (timer == null) {
            timer = decisions.computeIfAbsent(choice, this::timer);
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
        chosen(chosen.decoder().id()).increment();
        chosen.similarity().ifPresent(similarities::record);
        chosen.band().ifPresent(band -> bands.record(band.members().size()));
    }

    private Counter chosen(String slot) {
        Counter counter = bySlot.get(slot);
        return counter != null ? counter : bySlot.computeIfAbsent(slot, this::counterOf);
    }

    private Counter counterOf(String slot) {
        return Counter.builder("eldr.router.decoder.decisions")
                .description("Decisions for this decoder")
                .tags("pool", name, "slot", slot)
                .register(registry);
    }

    void refused(Decision.Unplaced why) {
        switch (why) {
            case Decision.NoneEligible _ -> noneEligible.increment();
            case Decision.AllAtCapacity _ -> saturated.increment();
        }
    }

    void activationRefused() {
        activationsRefused.increment();
    }

    void opened() {
        opened.increment();
    }

    void closed(Outcome outcome) {
        closed.computeIfAbsent(
                        outcome,
                        key -> counter("eldr.router.reservations.closed", "Reservations closed", "outcome", key.id()))
                .increment();
    }

    void expired() {
        expired.increment();
    }

    /** Its decoder failed and it went on to another: closed there and opened here. */
    void moved() {
        closed(Outcome.DECODER_FAILED);
        opened();
    }

    void changed(Pool pool) {
        decoders.show(pool.state());
        Set<String> known = pool.state().decoders().stream()
                .map(decoder -> decoder.worker().slot())
                .collect(Collectors.toSet());
        for (String slot : List.copyOf(bySlot.keySet())) {
            if (!known.contains(slot)) {
                forget(slot);
            }
        }
    }

    private void forget(String slot) {
        Counter counter = bySlot.remove(slot);
        if (counter != null) {
            registry.remove(counter);
        }
    }

    void remove() {
        decoders.remove();
        List.copyOf(bySlot.keySet()).forEach(this::forget);
        all.forEach(registry::remove);
    }

    private Timer timer(Choice choice) {
        Timer timer = Timer.builder("eldr.router.decision")
                .description("Time from a checked request to its reserved decoder")
                .tags(
                        "pool",
                        name,
                        "policy",
                        choice.policy().id(),
                        "reason",
                        choice.reason().id())
                .serviceLevelObjectives(LATENCIES)
                .register(registry);
        all.add(timer);
        return timer;
    }

    private Counter counter(String meter, String description, String key, String value) {
        Counter.Builder builder =
                Counter.builder(meter).description(description).tag("pool", name);
        Counter counter = (key.isEmpty() ? builder : builder.tag(key, value)).register(registry);
        all.add(counter);
        return counter;
    }

    private DistributionSummary summary(String meter, String description) {
        DistributionSummary summary = DistributionSummary.builder(meter)
                .description(description)
                .tag("pool", name)
                .register(registry);
        all.add(summary);
        return summary;
    }

    private Gauge gauge(Pool pool, String meter, String description, ToDoubleFunction<Pool> value) {
        return Gauge.builder(meter, pool, value)
                .description(description)
                .tag("pool", name)
                .strongReference(true)
                .register(registry);
    }

    /** Read from the ledger, so that it can neither drift nor fall below 0. */
    private static double inFlight(Pool pool, LoadLedger ledger) {
        int sum = 0;
        for (WorkerView decoder : pool.state().decoders()) {
            sum += ledger.inFlight(decoder.incarnation());
        }
        return sum;
    }

    private static double age(Pool pool, InstantSource clock) {
        return pool.state()
                .artifact()
                .map(LoadedArtifact::loadedAt)
                .map(at -> Duration.between(at, clock.instant()).toMillis() / 1000.0)
                .orElse(Double.NaN);
    }
}
