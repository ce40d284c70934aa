package io.eldr.router.pool;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.LoadView;
import io.eldr.core.routing.ActiveArtifact;
import io.eldr.core.routing.BandRule;
import io.eldr.core.routing.Decoder;
import io.eldr.core.routing.FoldedForecast;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.routing.PoolState;
import io.eldr.core.routing.RoutingPolicy;
import io.eldr.core.routing.ShadowRule;
import io.eldr.core.routing.StarvationRule;
import io.eldr.core.routing.StarvationWatch;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.artifact.LoadedArtifact;
import io.eldr.router.discovery.KnownWorker;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.PoolStatus;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.worker.Standing;
import io.eldr.router.worker.WorkerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool that this router serves. Requests read its state by one volatile read; whatever changes makes a new state beside
 * it, off the requests' way, and swaps the reference.
 */
public final class Pool {

    private static final Logger log = LoggerFactory.getLogger(Pool.class);

    private final PoolEnvironment environment;
    private final LoadLedger ledger;
    private final StarvationWatch starvation;
    private final Function<WorkerIntent, Standing> standing;
    private volatile ServedState state;

    /** @param standing how a worker stands with this router */
    Pool(
            PoolIntent intent,
            Optional<LoadedArtifact> artifact,
            Optional<PoolStatus.Refusal> refused,
            PoolEnvironment environment,
            Function<WorkerIntent, Standing> standing) {
        this.environment = environment;
        this.ledger = environment.ledger();
        this.starvation = new StarvationWatch(environment.starvation().orElse(StarvationRule.DEFAULT));
        this.standing = standing;
        this.state = build(intent, artifact, refused, Optional.empty());
    }

    public String name() {
        return state.intent().name();
    }

    /** Its state now. A caller that needs two things of it reads it once. */
    public ServedState state() {
        return state;
    }

    /** Changes what is wanted and what serves, in one step. */
    synchronized void change(
            PoolIntent intent, Optional<LoadedArtifact> artifact, Optional<PoolStatus.Refusal> refused) {
        state = build(intent, artifact, refused, Optional.of(state));
    }

    /** Takes in what was seen of the workers since. */
    synchronized void workersChanged() {
        state = build(state.intent(), state.artifact(), state.refused(), Optional.of(state));
    }

    /**
     * Lets the policy change whose turn ended, and looks for decoders that starve. To be called a few times a second.
     *
     * @param now by the router's own clock
     */
    public void tick(Instant now) {
        ServedState current = state;
        if (current.turn()
                .filter(turn -> !turn.contains(environment.wallClock().instant()))
                .isPresent()) {
            workersChanged();
            current = state;
        }
        if (guards(current.policyName())) {
            starvation.observe(
                    current.forDecisions().snapshot(), current.forDecisions().loads(), now);
        }
    }

    private boolean guards(PolicyName policy) {
        return (policy == PolicyName.ELDR || policy == PolicyName.UNION)
                && environment.starvation().isPresent();
    }

    private RoutingPolicy create(PolicyName policy) {
        return guards(policy) ? starvation.guarding(policy.create()) : policy.create();
    }

    private ServedState build(
            PoolIntent intent,
            Optional<LoadedArtifact> artifact,
            Optional<PoolStatus.Refusal> refused,
            Optional<ServedState> before) {
        List<KnownWorker> workers = environment.discovery().with(intent.workers(), intent.name());
        List<WorkerView> decoders = decoders(workers, intent, before);
        List<String> live = workers.stream()
                .map(KnownWorker::worker)
                .filter(worker -> worker.role() == WorkerIntent.Role.DECODE)
                .map(WorkerIntent::slot)
                .toList();
        Optional<SwitchbackRule.Window> turn = intent.switchback()
                .map(rule -> rule.windowAt(environment.wallClock().instant()));
        Optional<ActiveArtifact> active = artifact.map(loaded -> bind(loaded, live, before));
        Optional<PolicyName> wanted = turn.map(SwitchbackRule.Window::policy).or(() -> policy(intent));
        PolicyName policyName =
                wanted.orElse(before.map(ServedState::policyName).orElse(PolicyName.JSQ));
        RoutingPolicy policy = before.filter(old -> old.policyName() == policyName)
                .map(old -> old.forDecisions().policy())
                .orElseGet(() -> create(policyName));
        Optional<FoldedForecast> forecast = active.flatMap(ActiveArtifact::forecast);
        boolean degraded = wanted.isEmpty()
                || refused.isPresent()
                || (artifact.isEmpty() && policyName.needsArtifact())
                || (forecast.isEmpty() && policyName.needsUse());
        PoolSnapshot known = PoolSnapshot.of(
                intent.name(),
                artifact.map(loaded -> loaded.activation().generation()).orElse(0L),
                active,
                decoders.stream()
                        .filter(WorkerView::eligible)
                        .map(Pool::decoder)
                        .toList(),
                band(intent, artifact, live.size()),
                degraded);
        PoolSnapshot snapshot = needsUse(policyName, intent) ? known.withForecast(forecast) : known;
        LoadView loads = ledger.view(snapshot.incarnations());
        tellOfOthers(snapshot);
        return new ServedState(
                intent,
                artifact,
                active,
                refused,
                policyName,
                new PoolState(snapshot, loads, policy),
                rows(snapshot),
                decoders,
                workers,
                turn,
                intent.shadow().map(rule -> shadow(rule, snapshot, before)),
                prefillers(workers, intent, before));
    }

    /**
     * Whether a policy that is live or has its turn goes by what requests are expected to use, or a shadow is compared with it
     * by that.
     */
    private static boolean needsUse(PolicyName live, PoolIntent intent) {
        return live.needsUse()
                || intent.shadow().isPresent()
                || intent.switchback()
                        .filter(rule -> rule.first().needsUse() || rule.second().needsUse())
                        .isPresent();
    }

    /** Requests that this router knows nothing of are taken to be like those of the decoder's cluster. */
    private void tellOfOthers(PoolSnapshot snapshot) {
        for (int i = 0; i < snapshot.decoders().size(); i++) {
            ledger.others(snapshot.decoders().get(i).incarnation(), snapshot.pattern(i));
        }
    }

    /** The same list as before where nothing changed, so that what was made of it may be kept. */
    private List<WorkerView> prefillers(List<KnownWorker> workers, PoolIntent intent, Optional<ServedState> before) {
        List<WorkerView> present = workers.stream()
                .filter(known -> known.worker().role() == WorkerIntent.Role.PREFILL)
                .map(known -> view(known, !known.serving() || runsAnotherRevision(known.worker(), intent)))
                .toList();
        List<WorkerView> old = before.map(ServedState::prefillers).orElse(List.of());
        List<WorkerView> now = withGone(present, old);
        return now.equals(old) ? old : now;
    }

    /** Those that left stay in sight until what runs there has ended. */
    private List<WorkerView> withGone(List<WorkerView> present, List<WorkerView> before) {
        Set<Incarnation> there = present.stream().map(WorkerView::incarnation).collect(Collectors.toUnmodifiableSet());
        List<WorkerView> all = new ArrayList<>(present);
        for (WorkerView old : before) {
            if (!there.contains(old.incarnation()) && ledger.inFlight(old.incarnation()) > 0) {
                all.add(new WorkerView(old.worker(), WorkerState.GONE, false, old.source()));
            }
        }
        return all;
    }

    /** The shadow keeps what its policy remembers, such as whose turn is next. */
    private static ShadowPolicy shadow(ShadowRule rule, PoolSnapshot snapshot, Optional<ServedState> before) {
        RoutingPolicy policy = before.flatMap(ServedState::shadow)
                .filter(old -> old.rule().policy() == rule.policy())
                .map(ShadowPolicy::policy)
                .orElseGet(() -> rule.policy().create());
        return new ShadowPolicy(rule, policy, snapshot.withBand(rule.band(snapshot.band())));
    }

    private List<WorkerView> decoders(List<KnownWorker> workers, PoolIntent intent, Optional<ServedState> before) {
        List<WorkerView> views = new ArrayList<>();
        for (KnownWorker known : workers) {
            WorkerIntent worker = known.worker();
            if (worker.role() == WorkerIntent.Role.DECODE) {
                boolean misfit = runsAnotherRevision(worker, intent);
                if (misfit && !before.map(old -> hadMisfit(old, worker)).orElse(false)) {
                    log.warn(
                            "{} of pool {} gets no traffic: it runs revision {} but the pool serves {}",
                            worker.slot(),
                            intent.name(),
                            worker.revision().orElse(""),
                            intent.model().revision());
                }
                views.add(view(known, misfit || !known.serving()));
            }
        }
        return withGone(views, before.map(ServedState::decoders).orElse(List.of()));
    }

    /** Whether a worker runs another model revision than its pool serves. One that either does not know fits any. */
    private static boolean runsAnotherRevision(WorkerIntent worker, PoolIntent pool) {
        String serves = pool.model().revision();
        return !serves.isEmpty()
                && worker.revision()
                        .filter(runs -> !runs.isEmpty() && !runs.equals(serves))
                        .isPresent();
    }

    private static boolean hadMisfit(ServedState before, WorkerIntent worker) {
        return before.workers().stream().map(KnownWorker::worker).anyMatch(worker::equals)
                && runsAnotherRevision(worker, before.intent());
    }

    /** @param unfit whether it must not get traffic, whatever it answers */
    private WorkerView view(KnownWorker known, boolean unfit) {
        if (known.worker().draining()) {
            return view(known, WorkerState.DRAINING, false);
        }
        if (unfit) {
            return view(known, WorkerState.PENDING, false);
        }
        return switch (standing.apply(known.worker())) {
            case NOT_SEEN -> view(known, WorkerState.PENDING, false);
            case FIT -> view(known, WorkerState.READY, true);
            case ON_TRIAL -> view(known, WorkerState.EJECTED, true);
            case EJECTED -> view(known, WorkerState.EJECTED, false);
        };
    }

    private static WorkerView view(KnownWorker known, WorkerState state, boolean eligible) {
        return new WorkerView(known.worker(), state, eligible, known.source());
    }

    /** The artifact of the state before is not folded again. */
    private static ActiveArtifact bind(LoadedArtifact loaded, List<String> live, Optional<ServedState> before) {
        RoutingArtifact artifact = loaded.artifact();
        return before.filter(old -> isThat(old, loaded))
                .flatMap(ServedState::active)
                .map(active -> active.boundTo(artifact, live))
                .orElseGet(() -> ActiveArtifact.of(loaded.activation().version(), artifact, live));
    }

    private static List<DecoderRow> rows(PoolSnapshot snapshot) {
        return IntStream.range(0, snapshot.decoders().size())
                .mapToObj(i -> new DecoderRow(snapshot.decoders().get(i).id(), snapshot.cluster(i)))
                .toList();
    }

    private static boolean isThat(ServedState old, LoadedArtifact loaded) {
        return old.artifact()
                .filter(before ->
                        before.activation().version() == loaded.activation().version()
                                && before.artifact().equals(loaded.artifact()))
                .isPresent();
    }

    private static BandRule band(PoolIntent intent, Optional<LoadedArtifact> artifact, int decoders) {
        double tau = intent.tau()
                .orElseGet(() -> artifact.map(loaded -> loaded.artifact().recommendedTau())
                        .orElse(RoutingArtifact.DEFAULT_TAU));
        return new BandRule(tau, intent.minCandidates().orElse(BandRule.defaultMinCandidates(decoders)), intent.hot());
    }

    private static Optional<PolicyName> policy(PoolIntent intent) {
        try {
            return Optional.of(PolicyName.of("policy", intent.policy()));
        } catch (InvalidInputException e) {
            log.error("Pool {} keeps its policy: {}", intent.name(), e.getMessage());
            return Optional.empty();
        }
    }

    private static Decoder decoder(WorkerView view) {
        WorkerIntent worker = view.worker();
        return new Decoder(view.incarnation(), worker.url(), worker.weight(), worker.maxInFlight());
    }
}
