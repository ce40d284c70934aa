package io.eldr.router.pool;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.LoadView;
import io.eldr.router.artifact.ArtifactVerifier;
import io.eldr.router.artifact.LastGood;
import io.eldr.router.artifact.LastGoodFile;
import io.eldr.router.artifact.LoadedArtifact;
import io.eldr.router.discovery.KnownWorker;
import io.eldr.router.intent.Activation;
import io.eldr.router.intent.Intent;
import io.eldr.router.intent.IntentFollower;
import io.eldr.router.intent.IntentSource;
import io.eldr.router.intent.IntentUnavailableException;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.PoolStatus;
import io.eldr.router.intent.RouterReports;
import io.eldr.router.intent.StoredArtifact;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.worker.EngineScraper;
import io.eldr.router.worker.HealthProber;
import io.eldr.router.worker.Standing;
import io.eldr.router.worker.WorkerObserver;
import io.eldr.router.worker.WorkerStandings;
import io.eldr.router.worker.WorkerState;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools that this router serves. It starts from the last good state on disk and then follows intent: takes in new
 * artifacts or refuses them, and keeps the last good state on disk. All changes but those of workers' health come on the
 * follower's thread.
 */
public final class Pools implements IntentFollower.Subject, WorkerObserver {

    private static final Logger log = LoggerFactory.getLogger(Pools.class);

    private final IntentSource source;
    private final PoolEnvironment environment;
    private final LoadLedger ledger;
    private final WorkerStandings standings;
    private final Optional<LastGoodFile> file;
    private final PoolObserver observer;
    private final InstantSource clock;

    private volatile Map<String, Pool> pools = Map.of();
    private volatile boolean knowsIntent;
    private volatile boolean ready;
    private @Nullable LastGood saved;

    public Pools(
            IntentSource source,
            PoolEnvironment environment,
            WorkerStandings standings,
            Optional<LastGoodFile> file,
            PoolObserver observer,
            InstantSource clock) {
        this.source = source;
        this.environment = environment;
        this.ledger = environment.ledger();
        this.standings = standings;
        this.file = file;
        this.observer = observer;
        this.clock = clock;
    }

    public Optional<Pool> find(String name) {
        return Optional.ofNullable(pools.get(name));
    }

    /** All pools in name order. */
    public Collection<Pool> all() {
        return pools.values();
    }

    /**
     * Whether it is known what to serve, be it from Postgres or from disk, and which of its workers are healthy. Once it
     * was, it stays so: workers that come later are no reason to take the router out of service.
     */
    public boolean ready() {
        if (!ready && knowsIntent && environment.discovery().askedAll() && standings.askedAll()) {
            ready = true;
        }
        return ready;
    }

    /** Serves what was served before the start. */
    public void restore() {
        Optional<LastGood> lastGood = file.flatMap(LastGoodFile::load);
        if (lastGood.isEmpty()) {
            return;
        }
        watch(lastGood.get().pools().stream().map(LastGood.SavedPool::intent).toList());
        Map<String, Pool> restored = new TreeMap<>();
        for (LastGood.SavedPool pool : lastGood.get().pools()) {
            restored.put(
                    pool.intent().name(),
                    newPool(
                            pool.intent(),
                            pool.artifact().flatMap(artifact -> restored(pool, artifact)),
                            Optional.empty()));
        }
        pools = restored;
        tell(Map.of(), restored);
        statesChanged();
        saved = lastGood.get();
        knowsIntent = true;
        log.info("Serving the last good state of {} pools from disk until Postgres answers", restored.size());
    }

    @Override
    public void apply(Intent intent) {
        watch(intent.pools());
        Map<String, Pool> before = pools;
        Map<String, Pool> after = new TreeMap<>();
        @Nullable IntentUnavailableException unavailable = null;
        for (PoolIntent wanted : intent.pools()) {
            Optional<Pool> existing = Optional.ofNullable(before.get(wanted.name()))
                    .filter(pool -> pool.state().intent().id() == wanted.id());
            try {
                after.put(wanted.name(), follow(wanted, existing));
            } catch (IntentUnavailableException e) {
                unavailable = e;
                existing.ifPresent(pool -> after.put(wanted.name(), pool));
            } catch (RuntimeException e) {
                log.error("Pool {} cannot be brought to what is wanted", wanted.name(), e);
                unfollowed(wanted, existing, e).ifPresent(pool -> after.put(wanted.name(), pool));
            }
        }
        pools = after;
        tell(before, after);
        forgetTheGone();
        statesChanged();
        knowsIntent = true;
        save();
        if (unavailable != null) {
            throw unavailable;
        }
    }

    @Override
    public List<PoolStatus> statuses() {
        return pools.values().stream().map(pool -> pool.state().status()).toList();
    }

    @Override
    public Collection<RouterReports.ObservedWorker> observed() {
        List<RouterReports.ObservedWorker> observed = new ArrayList<>();
        for (Pool pool : pools.values()) {
            ServedState state = pool.state();
            for (KnownWorker known : state.workers()) {
                observed.add(new RouterReports.ObservedWorker(state.intent().id(), known.worker()));
            }
        }
        return observed;
    }

    @Override
    public void workersChanged() {
        pools.values().forEach(Pool::workersChanged);
        statesChanged();
    }

    /** The engines of decoders that have traffic, or finish it, are asked for their load. */
    private synchronized void statesChanged() {
        List<EngineScraper.Target> engines = new ArrayList<>();
        for (Pool pool : pools.values()) {
            for (WorkerView view : pool.state().decoders()) {
                if (view.state() == WorkerState.READY || view.state() == WorkerState.DRAINING) {
                    engines.add(new EngineScraper.Target(
                            view.incarnation(), view.worker().url()));
                }
            }
            observer.changed(pool);
        }
        standings.scrape(engines);
    }

    /** Takes in the workers that were discovered since, and those that are no longer there. */
    public void discovered() {
        watch(pools.values().stream().map(pool -> pool.state().intent()).toList());
        workersChanged();
    }

    /** Has the workers of these pools asked for their health, as far as they are known now. */
    private void watch(List<PoolIntent> wanted) {
        synchronized (standings) {
            standings.probe(targets(wanted));
        }
    }

    /** A worker that came in between is seen anew: its place in the ledger may have been taken away with the others'. */
    private void forgetTheGone() {
        Set<Incarnation> live = incarnations();
        ledger.retainOnly(live);
        standings.retainOnly(live);
        for (Pool pool : pools.values()) {
            LoadView loads = pool.state().forDecisions().loads();
            if (IntStream.range(0, loads.size()).anyMatch(i -> loads.inFlight(i) == LoadView.GONE)) {
                pool.workersChanged();
            }
        }
    }

    private Pool follow(PoolIntent wanted, Optional<Pool> existing) {
        Optional<ServedState> state = existing.map(Pool::state);
        Optional<LoadedArtifact> artifact = state.flatMap(ServedState::artifact)
                .filter(loaded -> wanted.activation().isPresent())
                .filter(loaded -> fits(loaded.artifact(), wanted));
        Optional<PoolStatus.Refusal> refused = Optional.empty();
        if (wanted.activation().isPresent()
                && !artifact.map(LoadedArtifact::activation).equals(wanted.activation())) {
            Activation activation = wanted.activation().get();
            refused = state.filter(old -> old.intent().model().equals(wanted.model()))
                    .filter(old -> old.intent().activation().equals(wanted.activation()))
                    .flatMap(ServedState::refused)
                    .filter(refusal -> refusal.generation() == activation.generation());
            if (refused.isEmpty()) {
                switch (fetch(wanted, activation)) {
                    case Accepted(LoadedArtifact loaded) -> artifact = Optional.of(loaded);
                    case Refused(PoolStatus.Refusal refusal) -> refused = Optional.of(refusal);
                }
            }
        }
        if (existing.isEmpty()) {
            return newPool(wanted, artifact, refused);
        }
        ServedState old = existing.get().state();
        if (!wanted.equals(old.intent())
                || !artifact.equals(old.artifact())
                || !refused.equals(old.refused())
                || old.showsGone()) {
            existing.get().change(wanted, artifact, refused);
        }
        return existing.get();
    }

    /** The pool after following its intent failed: as it was, or by load alone, and with the failure as its refusal. */
    private Optional<Pool> unfollowed(PoolIntent wanted, Optional<Pool> existing, RuntimeException failure) {
        Optional<PoolStatus.Refusal> refused =
                wanted.activation().map(activation -> new PoolStatus.Refusal(activation.generation(), failed(failure)));
        try {
            if (existing.isEmpty()) {
                return Optional.of(newPool(wanted, Optional.empty(), refused));
            }
            existing.get()
                    .change(
                            wanted,
                            existing.get().state().artifact().filter(loaded -> fits(loaded.artifact(), wanted)),
                            refused);
        } catch (RuntimeException e) {
            log.error("Pool {} stays as it was", wanted.name(), e);
        }
        return existing;
    }

    private static String failed(RuntimeException failure) {
        return "the router failed: " + failure;
    }

    private sealed interface Intake {}

    private record Accepted(LoadedArtifact artifact) implements Intake {}

    private record Refused(PoolStatus.Refusal refusal) implements Intake {}

    private Intake fetch(PoolIntent wanted, Activation activation) {
        Optional<StoredArtifact> stored = source.artifact(wanted.id(), activation.version());
        if (stored.isEmpty()) {
            return refuse(wanted, activation, "artifact: version " + activation.version() + " does not exist");
        }
        ArtifactVerifier.Verdict verdict;
        try {
            verdict = ArtifactVerifier.verify(stored.get(), wanted.model());
        } catch (RuntimeException e) {
            log.error("Artifact version {} of pool {} cannot be verified", activation.version(), wanted.name(), e);
            return refuse(wanted, activation, failed(e));
        }
        return switch (verdict) {
            case ArtifactVerifier.Refused(String reason) -> refuse(wanted, activation, reason);
            case ArtifactVerifier.Accepted(RoutingArtifact artifact) -> {
                log.info(
                        "Pool {} serves artifact version {} under generation {}",
                        wanted.name(),
                        activation.version(),
                        activation.generation());
                yield new Accepted(new LoadedArtifact(
                        activation, stored.get(), artifact, PoolStatus.Source.POSTGRES, clock.instant()));
            }
        };
    }

    private Refused refuse(PoolIntent wanted, Activation activation, String reason) {
        log.error(
                "Pool {} does not follow generation {} (artifact version {}): {}",
                wanted.name(),
                activation.generation(),
                activation.version(),
                reason);
        observer.refused(wanted.name());
        return new Refused(new PoolStatus.Refusal(activation.generation(), reason));
    }

    private Optional<LoadedArtifact> restored(LastGood.SavedPool pool, LastGood.SavedArtifact artifact) {
        return switch (ArtifactVerifier.verify(artifact.stored(), pool.intent().model())) {
            case ArtifactVerifier.Refused(String reason) -> {
                log.warn(
                        "The artifact of pool {} on disk is ignored: {}",
                        pool.intent().name(),
                        reason);
                yield Optional.empty();
            }
            case ArtifactVerifier.Accepted(RoutingArtifact decoded) ->
                Optional.of(new LoadedArtifact(
                        artifact.activation(), artifact.stored(), decoded, PoolStatus.Source.DISK, clock.instant()));
        };
    }

    private static boolean fits(RoutingArtifact artifact, PoolIntent pool) {
        Optional<String> misfit = ArtifactVerifier.misfit(artifact.model(), pool.model());
        misfit.ifPresent(reason -> log.error("Pool {} drops its artifact: {}", pool.name(), reason));
        return misfit.isEmpty();
    }

    private Pool newPool(PoolIntent intent, Optional<LoadedArtifact> artifact, Optional<PoolStatus.Refusal> refused) {
        return new Pool(intent, artifact, refused, environment, worker -> standing(intent.name(), worker));
    }

    private Standing standing(String pool, WorkerIntent worker) {
        return worker.probe() == WorkerIntent.Probe.HTTP
                ? standings.standing(target(pool, worker))
                : standings.standing(new Incarnation(worker.slot(), worker.uid()));
    }

    private void tell(Map<String, Pool> before, Map<String, Pool> after) {
        before.forEach((name, pool) -> {
            if (after.get(name) != pool) {
                observer.removed(name);
            }
        });
        after.forEach((name, pool) -> {
            if (before.get(name) != pool) {
                observer.added(pool);
                // Its probes may have answered before it could be told.
                pool.workersChanged();
            }
        });
    }

    private Set<Incarnation> incarnations() {
        Set<Incarnation> live = new HashSet<>();
        for (Pool pool : pools.values()) {
            for (KnownWorker known : pool.state().workers()) {
                live.add(new Incarnation(known.worker().slot(), known.worker().uid()));
            }
        }
        return live;
    }

    private void save() {
        if (file.isEmpty()) {
            return;
        }
        LastGood current = new LastGood(
                pools.values().stream().map(pool -> savedForm(pool.state())).toList());
        if (current.equals(saved)) {
            return;
        }
        try {
            file.get().save(current);
            saved = current;
        } catch (IOException e) {
            log.error("The last good state could not be kept on disk: {}", e.toString());
        }
    }

    private static LastGood.SavedPool savedForm(ServedState state) {
        return new LastGood.SavedPool(
                state.intent(),
                state.artifact().map(loaded -> new LastGood.SavedArtifact(loaded.activation(), loaded.stored())));
    }

    private List<HealthProber.Target> targets(List<PoolIntent> wanted) {
        List<HealthProber.Target> targets = new ArrayList<>();
        for (PoolIntent pool : wanted) {
            for (KnownWorker known : environment.discovery().with(pool.workers(), pool.name())) {
                if (known.worker().probe() == WorkerIntent.Probe.HTTP) {
                    targets.add(target(pool.name(), known.worker()));
                }
            }
        }
        return targets;
    }

    private static HealthProber.Target target(String pool, WorkerIntent worker) {
        return new HealthProber.Target(pool, worker.slot(), worker.uid(), worker.url());
    }
}
