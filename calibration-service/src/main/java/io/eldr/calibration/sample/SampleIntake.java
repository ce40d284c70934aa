package io.eldr.calibration.sample;

import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.telemetry.CalibrationMetrics;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.pool.Pool;
import io.eldr.db.sample.Intake;
import io.eldr.db.sample.NewSample;
import io.eldr.db.sample.SampleStore;
import io.eldr.service.access.Caller;
import io.eldr.service.access.Role;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes in a body of samples whole or not at all. The body goes to a file first: however slowly it comes, it costs neither
 * memory nor a connection to the registry. Then its samples are checked and stored by batches in one transaction, which a
 * bad one undoes.
 */
@Service
class SampleIntake {
    /** A batch holds so many cells of each matrix, 16 MB with decode counts, and at least one sample. */
    private static final int BATCH_CELLS = 1 << 21;

    private static final int MAX_BATCH = 500;
    /** So many bodies are stored at a time; the rest of the registry's connections are for everything else. */
    private static final int CONCURRENT = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int BUFFER = 1 << 16;

    private final PoolDirectory pools;
    private final SampleStore store;
    private final TransactionTemplate transactions;
    private final Audit audit;
    private final CalibrationMetrics metrics;
    private final Semaphore turns = new Semaphore(CONCURRENT);

    SampleIntake(
            PoolDirectory pools,
            SampleStore store,
            TransactionTemplate transactions,
            Audit audit,
            CalibrationMetrics metrics) {
        this.pools = pools;
        this.store = store;
        this.transactions = transactions;
        this.audit = audit;
        this.metrics = metrics;
    }

    Intake take(String poolName, SampleForm form, InputStream body, Caller caller) throws IOException {
        Pool pool = pools.require(poolName);
        Path file = Files.createTempFile("eldr-samples-", ".body");
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                body.transferTo(out);
            }
            Intake intake = inTurn(() -> transactions.execute(status -> store(pool, file, form, caller)));
            metrics.samples(CalibrationMetrics.Intake.ACCEPTED, intake.accepted());
            metrics.samples(CalibrationMetrics.Intake.DUPLICATE, intake.duplicates());
            return intake;
        } catch (InvalidInputException refused) {
            metrics.samples(CalibrationMetrics.Intake.REFUSED, 1);
            throw refused;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private Intake inTurn(Supplier<Intake> work) {
        if (!awaitTurn()) {
            throw Problems.exception(
                    ProblemType.UNAVAILABLE, "Other bodies of samples are still being stored. Try again soon.");
        }
        try {
            return work.get();
        } finally {
            turns.release();
        }
    }

    private boolean awaitTurn() {
        try {
            return turns.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Intake store(Pool pool, Path file, SampleForm form, Caller caller) {
        Map<String, String> seen = new HashMap<>();
        int size = Math.clamp(BATCH_CELLS / pool.geometry().cells(), 1, MAX_BATCH);
        List<NewSample> batch = new ArrayList<>(size);
        Intake total = new Intake(0, 0);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            SampleReader reader = form.reader(in, pool.geometry());
            for (Optional<NewSample> sample = next(reader, seen); sample.isPresent(); sample = next(reader, seen)) {
                batch.add(sample.get());
                if (batch.size() == size) {
                    total = plus(total, store.add(pool.id(), batch));
                    batch.clear();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (seen.isEmpty()) {
            throw new InvalidInputException("body", "holds no samples");
        }
        Intake intake = batch.isEmpty() ? total : plus(total, store.add(pool.id(), batch));
        // What routers send by the second is traffic; metrics count it.
        if (caller.has(Role.OPERATOR)) {
            audit.record(
                    Audit.actor(caller), "samples.add", pool.name(), "samples", Optional.empty(), Optional.of(intake));
        }
        return intake;
    }

    /** @param seen where each request id of the body stands */
    private static Optional<NewSample> next(SampleReader reader, Map<String, String> seen) throws IOException {
        try {
            Optional<NewSample> sample = reader.next();
            sample.map(NewSample::requestId).ifPresent(id -> {
                String earlier = seen.putIfAbsent(id, reader.place());
                if (earlier != null) {
                    throw new InvalidInputException("requestId", "is that of " + earlier + " already");
                }
            });
            return sample;
        } catch (InvalidInputException e) {
            throw new InvalidInputException(reader.place() + (e.field().isEmpty() ? "" : ": " + e.field()), e.reason());
        }
    }

    private static Intake plus(Intake one, Intake other) {
        return new Intake(one.accepted() + other.accepted(), one.duplicates() + other.duplicates());
    }
}
