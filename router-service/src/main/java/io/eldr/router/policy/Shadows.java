package io.eldr.router.policy;

import io.eldr.core.load.LoadView;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.Evaluation;
import io.eldr.core.routing.FoldedCentroids;
import io.eldr.core.routing.FoldedForecast;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.routing.UnionPricing;
import io.eldr.core.routing.UsePrediction;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.pool.ServedState;
import io.eldr.router.pool.ShadowPolicy;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Runs shadow policies off the requests' way, on one thread: each decides on the snapshot and the loads of the live
 * decision, and reserves nothing. Decisions wait in a queue of fixed length; what does not fit is left out and counted.
 */
public final class Shadows implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Shadows.class);

    private final PolicyProperties.Shadow settings;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final BlockingQueue<Task> queue;
    private final Map<String, ShadowTrial> trials = new ConcurrentHashMap<>();
    private final AtomicLong leftOut = new AtomicLong();
    private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

    /** A decision that a shadow has yet to make. */
    private record Task(
            DecisionRequest request,
            ServedState state,
            ShadowPolicy shadow,
            Decision.Chosen live,
            Consumer<ShadowChoice> onChoice) {}

    Shadows(PolicyProperties.Shadow settings, InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.settings = settings;
        this.random = random;
        this.queue = new ArrayBlockingQueue<>(settings.queue());
    }

    /**
     * Has the pool's shadow, if it has one, decide what was just decided. Returns at once.
     *
     * @param state what the live decision was made on
     * @param onChoice takes what the shadow chose, on the shadows' thread
     */
    public void decided(
            DecisionRequest request, ServedState state, Decision.Chosen live, Consumer<ShadowChoice> onChoice) {
        Optional<ShadowPolicy> shadow = state.shadow();
        if (shadow.isEmpty() || (settings.sample() < 1 && random.nextDouble() >= settings.sample())) {
            return;
        }
        if (!queue.offer(new Task(request, state, shadow.get(), live, onChoice))) {
            leftOut.incrementAndGet();
        }
    }

    /** What was found of a pool's shadow since it was set, or since the live policy changed. */
    Optional<ShadowTrial> trial(String pool) {
        return Optional.ofNullable(trials.get(pool));
    }

    /** How many decisions of all pools did not fit into the queue. */
    long leftOut() {
        return leftOut.get();
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("shadows").start(this::run);
    }

    @Override
    public void stop() {
        thread.interrupt();
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Task task = queue.take();
                try {
                    decide(task);
                } catch (RuntimeException e) {
                    log.error(
                            "The shadow of pool {} failed",
                            task.state().intent().name(),
                            e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void decide(Task task) {
        LoadView seen = new SeenLoads(
                task.live().evaluation(),
                task.state().forDecisions().loads(),
                task.live().index(),
                task.request().use().map(UsePrediction::own));
        Decision decision =
                task.shadow().policy().decide(task.request(), task.shadow().snapshot(), seen, random);
        if (decision instanceof Decision.Chosen chosen) {
            ShadowChoice choice = compare(task, chosen, seen);
            String pool = task.live().version().pool();
            long id = task.state().intent().id();
            ShadowTrial before = trials.get(pool);
            ShadowTrial trial = before != null
                            && before.isOf(
                                    id, task.live().policy(), task.shadow().rule())
                    ? before
                    : ShadowTrial.begin(id, task.live().policy(), task.shadow().rule(), clock.instant());
            trials.put(pool, trial.plus(choice));
            task.onChoice().accept(choice);
        }
    }

    private static ShadowChoice compare(Task task, Decision.Chosen shadow, LoadView seen) {
        Decision.Chosen live = task.live();
        PoolSnapshot snapshot = task.shadow().snapshot();
        Optional<double[]> similarities = similarities(task, shadow);
        OptionalInt mine = snapshot.cluster(shadow.index());
        OptionalInt other = snapshot.cluster(live.index());
        OptionalDouble difference = similarities.isPresent() && mine.isPresent() && other.isPresent()
                ? OptionalDouble.of(
                        similarities.get()[mine.getAsInt()] - similarities.get()[other.getAsInt()])
                : OptionalDouble.empty();
        return new ShadowChoice(
                shadow.policy(),
                shadow.decoder().id(),
                shadow.reason(),
                shadow.index() == live.index(),
                difference,
                priceDifference(task, shadow, seen),
                seen.load(shadow.index(), shadow.seen()) - seen.load(live.index(), live.seen()));
    }

    /** Whatever the two policies go by, both choices are judged by what the request is predicted to cost everybody. */
    private static OptionalDouble priceDifference(Task task, Decision.Chosen shadow, LoadView seen) {
        Optional<FoldedForecast> forecast = task.shadow().snapshot().forecast();
        Optional<UsePrediction> use = task.request().use();
        if (forecast.isEmpty() || use.isEmpty()) {
            return OptionalDouble.empty();
        }
        UnionPricing pricing = new UnionPricing(forecast.get(), use.get());
        return OptionalDouble.of(price(pricing, shadow, seen) - price(pricing, task.live(), seen));
    }

    private static double price(UnionPricing pricing, Decision.Chosen chosen, LoadView seen) {
        return pricing.millis(
                seen.use(chosen.index()),
                seen.load(chosen.index(), chosen.seen()),
                chosen.decoder().weight());
    }

    /** By cluster; from whichever decision asked for them, else worked out here. */
    private static Optional<double[]> similarities(Task task, Decision.Chosen shadow) {
        for (Evaluation evaluation :
                new Evaluation[] {shadow.evaluation(), task.live().evaluation()}) {
            if (evaluation.clusters() > 0) {
                return Optional.of(evaluation.similarities());
            }
        }
        Optional<FoldedCentroids> centroids = task.shadow().snapshot().centroids();
        Optional<ExpertCounts> counts = task.request().counts();
        if (centroids.isEmpty() || counts.isEmpty() || !centroids.get().accepts(counts.get())) {
            return Optional.empty();
        }
        double[] similarities = new double[centroids.get().clusters()];
        return centroids.get().similarities(counts.get(), similarities) ? Optional.of(similarities) : Optional.empty();
    }
}
