package io.eldr.calibration.pool;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.db.worker.Incarnation;
import io.eldr.db.worker.IncarnationRepository;
import io.eldr.db.worker.Worker;
import io.eldr.db.worker.WorkerRepository;
import io.eldr.db.worker.WorkerRole;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The slots that a refit makes clusters for. */
@Component
public class PoolSlots {
    /** By code point, whatever the planes of the characters. */
    private static final Comparator<String> BY_CODE_POINT = (a, b) -> {
        int[] left = a.codePoints().toArray();
        int[] right = b.codePoints().toArray();
        return Arrays.compare(left, right);
    };

    /** How routers name what they know from a declaration alone; without one it is gone. */
    private static final String OF_A_DECLARATION = "registration-";

    private final WorkerRepository workers;
    private final IncarnationRepository incarnations;
    private final InstantSource clock;
    private final Duration observedWithin;

    PoolSlots(
            WorkerRepository workers,
            IncarnationRepository incarnations,
            InstantSource clock,
            CalibrationProperties properties) {
        this.workers = workers;
        this.incarnations = incarnations;
        this.clock = clock;
        this.observedWithin = properties.refit().observedWithin();
    }

    /**
     * The decoders of a pool that are not gone, sorted by code point: those that are declared, draining ones too, and those
     * that some router saw lately without a declaration. What is declared of a slot, or was until just now, counts for more
     * than what routers saw.
     */
    @Transactional(readOnly = true)
    public List<String> decoders(long poolId) {
        List<Worker> all = workers.findByPool(poolId);
        Set<String> declaredSlots = all.stream().map(Worker::slot).collect(Collectors.toSet());
        Stream<String> declared = all.stream()
                .filter(worker -> worker.spec().role() == WorkerRole.DECODE)
                .map(Worker::slot);
        Stream<String> observed = incarnations
                .findSeenSince(poolId, clock.instant().minus(observedWithin))
                .stream()
                .filter(incarnation -> incarnation.role() == WorkerRole.DECODE)
                .filter(incarnation -> !declaredSlots.contains(incarnation.slot()))
                .filter(incarnation -> !incarnation.uid().startsWith(OF_A_DECLARATION))
                .map(Incarnation::slot);
        return Stream.concat(declared, observed)
                .distinct()
                .sorted(BY_CODE_POINT)
                .toList();
    }
}
