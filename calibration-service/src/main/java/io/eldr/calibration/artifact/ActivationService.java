package io.eldr.calibration.artifact;

import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.web.Fields;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.activation.ActivationOutcome;
import io.eldr.db.pool.Pool;
import io.eldr.service.access.Caller;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What operators ask of the ledger of activations. */
@Service
class ActivationService {
    private static final int MAX_REASON = 2_000;
    /** Times that Postgres has too. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private final ActivationLedger ledger;
    private final Activations activations;
    private final PoolDirectory pools;

    ActivationService(ActivationLedger ledger, Activations activations, PoolDirectory pools) {
        this.ledger = ledger;
        this.activations = activations;
        this.pools = pools;
    }

    /** @param fresh false if the version was active already and nothing changed */
    record Result(ActivationView activation, boolean fresh) {}

    @Transactional
    public Result activate(String poolName, ActivationRequest request, Caller caller) {
        int version = Fields.required("version", request.version());
        Pool pool = lock(poolName, request);
        return result(pool, activations.activate(pool, version, Audit.actor(caller), request.reason()));
    }

    @Transactional
    public Result rollBack(String poolName, ActivationRequest request, Caller caller) {
        Pool pool = lock(poolName, request);
        OptionalInt version = request.version().map(OptionalInt::of).orElseGet(OptionalInt::empty);
        return result(pool, activations.rollBack(pool, version, Audit.actor(caller), request.reason()));
    }

    private Pool lock(String poolName, ActivationRequest request) {
        if (request.reason().isPresent()
                && (request.reason().get().isBlank() || request.reason().get().length() > MAX_REASON)) {
            throw new InvalidInputException("reason", "must be 1 to " + MAX_REASON + " characters that are not blank");
        }
        Pool pool = pools.lock(poolName);
        activations.requireGeneration(pool, request.expectedGeneration());
        return pool;
    }

    private static Result result(Pool pool, ActivationOutcome outcome) {
        return switch (outcome) {
            case ActivationOutcome.Activated(Activation activation) ->
                new Result(ActivationView.of(pool.name(), activation), true);
            case ActivationOutcome.AlreadyActive(Activation current) ->
                new Result(ActivationView.of(pool.name(), current), false);
            case ActivationOutcome.UnknownVersion(int version) -> throw notFound("has no version " + version, pool);
            case ActivationOutcome.NothingBefore() ->
                throw Problems.exception(
                        ProblemType.CONFLICT, "There is no version that was served before: nothing to roll back to.");
            case ActivationOutcome.UnknownPool() -> throw notFound("was deleted just now", pool);
        };
    }

    private static RuntimeException notFound(String what, Pool pool) {
        return Problems.exception(ProblemType.NOT_FOUND, "The pool '" + pool.name() + "' " + what + ".");
    }

    @Transactional(readOnly = true)
    public List<ActivationView> history(String poolName, Optional<Instant> at, int limit) {
        at.ifPresent(ActivationService::requirePresentable);
        long poolId = pools.require(poolName).id();
        List<Activation> found = at.isPresent()
                ? ledger.activeAt(poolId, at.get()).map(List::of).orElseGet(List::of)
                : ledger.history(poolId, limit);
        return found.stream()
                .map(activation -> ActivationView.of(poolName, activation))
                .toList();
    }

    private static void requirePresentable(Instant at) {
        if (at.isBefore(EARLIEST) || at.isAfter(LATEST)) {
            throw new InvalidInputException("at", "must be between " + EARLIEST + " and " + LATEST);
        }
    }

    @Transactional(readOnly = true)
    public ActivationView current(String poolName) {
        Pool pool = pools.require(poolName);
        return ledger.current(pool.id())
                .map(activation -> ActivationView.of(poolName, activation))
                .orElseThrow(() -> notFound("has nothing active yet", pool));
    }
}
