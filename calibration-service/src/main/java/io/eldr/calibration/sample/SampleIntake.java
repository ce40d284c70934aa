package io.eldr.calibration.sample;

import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.telemetry.CalibrationMetrics;
import io.eldr.calibration.web.JsonRefusal;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.db.sample.Intake;
import io.eldr.db.sample.NewSample;
import io.eldr.db.sample.SampleStore;
import io.eldr.service.access.Caller;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes in a body of samples whole or not at all. The body goes to a file first: however slowly it comes, it costs neither
 * memory nor a connection to the registry. Then its lines are checked and stored by batches in one transaction, which a
 * bad line undoes.
 */
@Service
class SampleIntake {
    private static final int BATCH = 200;
    /** So many bodies are stored at a time; the rest of the registry's connections are for everything else. */
    private static final int CONCURRENT = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** What a line holds beside its counts. */
    private static final int LINE_OVERHEAD = 16_384;

    private final PoolDirectory pools;
    private final SampleStore store;
    private final TransactionTemplate transactions;
    private final Audit audit;
    private final CalibrationMetrics metrics;
    private final ObjectReader lines;
    private final Semaphore turns = new Semaphore(CONCURRENT);

    SampleIntake(
            PoolDirectory pools,
            SampleStore store,
            TransactionTemplate transactions,
            Audit audit,
            CalibrationMetrics metrics,
            JsonMapper json) {
        this.pools = pools;
        this.store = store;
        this.transactions = transactions;
        this.audit = audit;
        this.metrics = metrics;
        this.lines = json.readerFor(SampleLine.class);
    }

    Intake take(String poolName, InputStream body, Caller caller) throws IOException {
        Pool pool = pools.require(poolName);
        Path file = Files.createTempFile("eldr-samples-", ".jsonl");
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                body.transferTo(out);
            }
            Intake intake = inTurn(() -> transactions.execute(status -> store(pool, file, Audit.actor(caller))));
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

    private Intake store(Pool pool, Path file, Actor actor) {
        Geometry geometry = pool.geometry();
        Map<String, Integer> seen = new HashMap<>();
        List<NewSample> batch = new ArrayList<>(BATCH);
        Intake total = new Intake(0, 0);
        try (InputStream in = Files.newInputStream(file)) {
            LineReader reader = new LineReader(in, maxLineLength(geometry));
            for (Optional<byte[]> line = next(reader); line.isPresent(); line = next(reader)) {
                batch.add(parse(line.get(), reader.number(), geometry, seen));
                if (batch.size() == BATCH) {
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
        audit.record(actor, "samples.add", pool.name(), "samples", Optional.empty(), Optional.of(intake));
        return intake;
    }

    private static Optional<byte[]> next(LineReader reader) throws IOException {
        try {
            return reader.next();
        } catch (InvalidInputException e) {
            throw inLine(reader.number(), e);
        }
    }

    private NewSample parse(byte[] line, int number, Geometry geometry, Map<String, Integer> seen) {
        try {
            SampleLine read = lines.readValue(line);
            if (read == null) {
                throw new InvalidInputException("", "must be a JSON object");
            }
            NewSample sample = read.sample(geometry);
            Integer earlier = seen.putIfAbsent(sample.requestId(), number);
            if (earlier != null) {
                throw new InvalidInputException("requestId", "is that of line " + earlier + " already");
            }
            return sample;
        } catch (InvalidInputException e) {
            throw inLine(number, e);
        } catch (JacksonException e) {
            throw inLine(number, JsonRefusal.of(e));
        }
    }

    private static InvalidInputException inLine(int number, InvalidInputException refusal) {
        String field = refusal.field().isEmpty() || refusal.field().equals("body") ? "" : ": " + refusal.field();
        return new InvalidInputException("line " + number + field, refusal.reason());
    }

    private static Intake plus(Intake one, Intake other) {
        return new Intake(one.accepted() + other.accepted(), one.duplicates() + other.duplicates());
    }

    /** Two matrices of 4 bytes a cell in base64. */
    private static int maxLineLength(Geometry geometry) {
        return (int) Math.min(Integer.MAX_VALUE - 64L, 2 * (4L * geometry.cells() + 2) / 3 * 4 + LINE_OVERHEAD);
    }
}
