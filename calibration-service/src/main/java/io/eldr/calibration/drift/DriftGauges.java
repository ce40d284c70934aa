package io.eldr.calibration.drift;

import io.eldr.calibration.schema.RegistryDependent;
import io.eldr.db.drift.DriftStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Shows the newest figures of every pool that serves, the same on every replica. */
@Component
class DriftGauges implements RegistryDependent, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DriftGauges.class);
    /** Other replicas judge windows too, and pools come and go. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final DriftStore store;
    private final MultiGauge psi;
    private final MultiGauge ks;
    private final MultiGauge alarm;
    private volatile Map<String, DriftStore.Standing> standings = Map.of();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("drift-gauges").factory());

    DriftGauges(DriftStore store, MeterRegistry meters) {
        this.store = store;
        this.psi = gauge(meters, "eldr.drift.psi", "PSI of the nearest clusters' shares in the newest window");
        this.ks = gauge(meters, "eldr.drift.ks", "Kolmogorov-Smirnov distance of the best similarities in it");
        this.alarm = gauge(meters, "eldr.drift.alarm", "1 while the pool drifts");
    }

    private static MultiGauge gauge(MeterRegistry meters, String name, String description) {
        return MultiGauge.builder(name).description(description).register(meters);
    }

    @Override
    public void registryIsThere() {
        var _ = thread.scheduleWithFixedDelay(this::tryRefresh, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void tryRefresh() {
        try {
            refresh();
        } catch (RuntimeException e) {
            log.debug("The gauges of drift stay as they were: {}", e.toString());
        }
    }

    /** Reads the figures, one after another: what was read first must not be shown last. Labels are names of pools. */
    synchronized void refresh() {
        standings = store.standings().stream()
                .collect(Collectors.toUnmodifiableMap(DriftStore.Standing::pool, standing -> standing));
        psi.register(rows(DriftStore.Standing::psi));
        ks.register(rows(DriftStore.Standing::ks));
        alarm.register(rows(standing -> standing.alarm() ? 1 : 0));
    }

    /** Rows that are there stay: one that is made again could be met twice by who reads the page meanwhile. */
    private List<MultiGauge.Row<?>> rows(ToDoubleFunction<DriftStore.Standing> value) {
        return standings.keySet().stream()
                .<MultiGauge.Row<?>>map(
                        pool -> MultiGauge.Row.of(Tags.of("pool", pool), this, gauges -> gauges.figure(pool, value)))
                .toList();
    }

    private double figure(String pool, ToDoubleFunction<DriftStore.Standing> value) {
        return Optional.ofNullable(standings.get(pool))
                .map(value::applyAsDouble)
                .orElse(Double.NaN);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
