package io.eldr.simulator.cluster;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.cost.DecoderModel;
import io.eldr.core.placement.ExpertPlacement;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.routing.RoutingPolicy;
import io.eldr.core.routing.UsePrediction;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Interrupts;
import io.eldr.simulator.workload.ServedRequests;
import io.eldr.simulator.workload.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a pool: requests come, are prefilled, placed by a router when their prefill is done, pulled by their decoder and
 * decoded step by step. Single-threaded, and a function of its arguments: the same give the same figures, bit for bit.
 */
public final class Simulation {
    private static final int EVENTS_BETWEEN_CHECKS = 16_384;
    private static final double WATCH_SECONDS = 1;

    private final Workload workload;
    private final ServedRequests served;
    private final ClusterSettings settings;
    private final DecoderModel model;
    private final PoolView pool;
    private final List<SimulatedRouter> routers = new ArrayList<>();
    private final PrefillPool prefills;
    private final List<DecodeWorker> decoders = new ArrayList<>();
    private final EventQueue events = new EventQueue();
    private final DecisionRequest[] requests;
    private final UseSource use;
    private final @Nullable Flight[] flights;
    /** Prefilled, but no decoder takes them. */
    private final Deque<Flight> stranded = new ArrayDeque<>();

    private final List<Flight> done = new ArrayList<>();
    private final Tally tally;
    private double now;
    private int nextRouter;
    private int changesLeft;

    private Simulation(
            Workload workload,
            ClusterSettings settings,
            RoutingArtifact artifact,
            OptionalDouble tau,
            Supplier<RoutingPolicy> policies,
            UseSource use,
            long seed) {
        this.workload = workload;
        this.served = workload.served();
        this.settings = settings;
        this.model = new DecoderModel(settings.model(), settings.ranks());
        this.pool = new PoolView(artifact, settings.decoders(), tau, use != UseSource.NONE);
        this.prefills = new PrefillPool(settings.prefillers(), model, workload, settings.prefixCacheTokens());
        for (int i = 0; i < settings.decoders(); i++) {
            decoders.add(new DecodeWorker(model, served, Optional.empty()));
        }
        placeExperts();
        SplittableRandom random = new SplittableRandom(seed);
        PoolSnapshot snapshot = pool.snapshot();
        for (int r = 0; r < settings.routers(); r++) {
            RandomGenerator own = random.split();
            routers.add(new SimulatedRouter(policies.get(), snapshot, settings.routers(), own));
            events.put(WATCH_SECONDS, EventQueue.Kind.WATCH, r);
            if (settings.routers() > 1) {
                events.put(own.nextDouble() * settings.scrapeSeconds(), EventQueue.Kind.SCRAPE, r);
            }
        }
        this.use = use;
        this.requests = new DecisionRequest[served.size()];
        describe(snapshot);
        this.flights = new Flight[workload.size()];
        this.tally = new Tally(workload, served.geometry(), settings.decoders());
    }

    /**
     * Runs until every request is done.
     *
     * @param tau the width of the band; empty: the artifact's
     * @param policies makes each router's own policy
     * @param use how policies that ask for it come to know what a request will use
     * @param seed of the routers' lots and their scrapes' jitter
     * @throws java.util.concurrent.CancellationException if the thread is interrupted
     */
    public static RunFigures run(
            Workload workload,
            ClusterSettings settings,
            RoutingArtifact artifact,
            OptionalDouble tau,
            Supplier<RoutingPolicy> policies,
            UseSource use,
            long seed) {
        return new Simulation(workload, settings, artifact, tau, policies, use, seed).run();
    }

    /** With policies that do not ask what a request will use. */
    public static RunFigures run(
            Workload workload,
            ClusterSettings settings,
            RoutingArtifact artifact,
            OptionalDouble tau,
            Supplier<RoutingPolicy> policies,
            long seed) {
        return run(workload, settings, artifact, tau, policies, UseSource.NONE, seed);
    }

    /** What routers are told of each sample; made once for each state of the pool, since many requests are of one sample. */
    private void describe(PoolSnapshot snapshot) {
        for (int i = 0; i < requests.length; i++) {
            DecisionRequest plain = request(served.sample(i));
            requests[i] = switch (use) {
                case NONE -> plain;
                case FORECAST -> plain.forecastBy(snapshot);
                case TRUTH -> plain.expecting(recorded(served.sample(i), snapshot));
            };
        }
    }

    private static Optional<UsePrediction> recorded(RequestSample sample, PoolSnapshot snapshot) {
        return sample.decode().flatMap(counts -> {
            float[] recorded = new float[counts.size()];
            float perToken = 1f / Math.max(1, sample.decodeTokens());
            for (int layer = 0; layer < counts.layers(); layer++) {
                for (int expert = 0; expert < counts.experts(); expert++) {
                    recorded[layer * counts.experts() + expert] = Math.min(1, counts.count(layer, expert) * perToken);
                }
            }
            return snapshot.forecast().map(forecast -> forecast.told(recorded, sample.signatureTokens()));
        });
    }

    private static DecisionRequest request(RequestSample sample) {
        return new DecisionRequest(
                Optional.of(sample.prefill()),
                sample.label().isEmpty() ? Optional.empty() : Optional.of(sample.label()),
                Optional.empty(),
                Set.of());
    }

    private RunFigures run() {
        changesLeft = settings.changes().size();
        for (int i = 0; i < changesLeft; i++) {
            events.put(settings.changes().get(i).seconds(), EventQueue.Kind.CHANGE, i);
        }
        events.put(workload.seconds(0), EventQueue.Kind.ARRIVAL, 0);
        for (int n = 1; tally.left() > 0 && events.next(); n++) {
            if (n % EVENTS_BETWEEN_CHECKS == 0) {
                Interrupts.check();
            }
            now = events.time();
            int subject = events.subject();
            switch (events.kind()) {
                case ARRIVAL -> arrive(subject);
                case PREFILLED -> prefilled(subject);
                case PULLED -> pulled(subject);
                case STEPPED -> stepped(subject);
                case SCRAPE -> scrape(subject);
                case WATCH -> watch(subject);
                case CHANGE -> change(settings.changes().get(subject).change());
            }
        }
        return tally.figures(now, stranded.size());
    }

    private void arrive(int request) {
        if (request + 1 < workload.size()) {
            events.put(workload.seconds(request + 1), EventQueue.Kind.ARRIVAL, request + 1);
        }
        int sample = workload.sample(request);
        Flight flight = new Flight(
                request,
                now,
                nextRouter,
                workload.promptTokens(request),
                workload.outputTokens(request),
                served.start(sample),
                served.end(sample));
        nextRouter = (nextRouter + 1) % routers.size();
        flights[request] = flight;
        tally.arrived(request, waiting());
        prefill(flight);
    }

    /** What is in the system and makes no progress for want of room or workers. */
    private int waiting() {
        int waiting = prefills.waiting() + stranded.size();
        for (DecodeWorker decoder : decoders) {
            waiting += decoder.waiting();
        }
        return waiting;
    }

    private void prefill(Flight flight) {
        flight.prefiller = prefills.choose(flight.request);
        prefills.worker(flight.prefiller).submit(flight);
        beginPrefill(flight.prefiller);
    }

    private void beginPrefill(int prefiller) {
        prefills.worker(prefiller).begin(now).ifPresent(end -> events.put(end, EventQueue.Kind.PREFILLED, prefiller));
    }

    private void prefilled(int prefiller) {
        Flight flight = prefills.worker(prefiller).finish();
        place(flight);
        beginPrefill(prefiller);
    }

    /** A router decides: the moment of the handoff. */
    private void place(Flight flight) {
        Optional<Placement> placed = routers.get(flight.router).place(requests[workload.sample(flight.request)]);
        if (placed.isEmpty()) {
            stranded.addLast(flight);
            return;
        }
        Placement placement = placed.get();
        flight.placement = placed;
        DecodeWorker decoder = decoders.get(placement.worker());
        decoder.submit(flight);
        tally.placed(flight.request, placement, decoders);
        admit(decoder);
    }

    private void admit(DecodeWorker decoder) {
        for (Optional<Flight> next = decoder.admit(); next.isPresent(); next = decoder.admit()) {
            Flight flight = next.get();
            if (flight.held > 0) {
                flight.pulledAt = now + model.handoffMillis(flight.tokens()) * 1e-3;
                events.put(flight.pulledAt, EventQueue.Kind.PULLED, flight.request);
            }
        }
    }

    private void pulled(int request) {
        Flight flight = flights[request];
        if (flight == null || flight.pulledAt != now || flight.placement.isEmpty()) {
            return;
        }
        flight.pulledAt = Flight.NOT_YET;
        int worker = flight.placement.get().worker();
        prefills.worker(flight.prefiller).release(flight);
        beginPrefill(flight.prefiller);
        decoders.get(worker).pulled(flight);
        beginStep(worker);
    }

    private void beginStep(int worker) {
        DecodeWorker decoder = decoders.get(worker);
        if (!decoder.isIdle()) {
            return;
        }
        Optional<Double> end = decoder.beginStep(now);
        if (end.isPresent()) {
            tally.stepped(now, end.get() - now, decoder.lastBatch(), decoder.lastUnion());
            events.put(end.get(), EventQueue.Kind.STEPPED, worker);
        }
    }

    private void stepped(int worker) {
        DecodeWorker decoder = decoders.get(worker);
        if (!decoder.isStepOf(now)) {
            return;
        }
        decoder.endStep(done);
        for (Flight flight : done) {
            flight.placement.ifPresent(routers.get(flight.router)::close);
            flights[flight.request] = null;
            tally.finished(flight, now);
        }
        done.clear();
        admit(decoder);
        beginStep(worker);
    }

    private void scrape(int router) {
        SimulatedRouter asking = routers.get(router);
        List<SimulatedRouter> others =
                routers.stream().filter(other -> other != asking).toList();
        for (int i = 0; i < decoders.size(); i++) {
            DecodeWorker decoder = decoders.get(i);
            if (decoder.isAlive()) {
                asking.scraped(pool.incarnation(i), decoder.inFlight(), decoder.kvUse());
                if (settings.exchanging()) {
                    asking.told(pool.incarnation(i), others);
                }
            }
        }
        if (!isAtRest()) {
            events.put(now + settings.scrapeSeconds(), EventQueue.Kind.SCRAPE, router);
        }
    }

    private void watch(int router) {
        routers.get(router).watch(now);
        if (!isAtRest()) {
            events.put(now + WATCH_SECONDS, EventQueue.Kind.WATCH, router);
        }
    }

    /** Whether nothing will happen any more, since no decoder is left and none comes. */
    private boolean isAtRest() {
        return changesLeft == 0 && tally.left() == stranded.size();
    }

    private void change(Change change) {
        changesLeft--;
        switch (change) {
            case Change.Fail(int decoder) -> pool.leave(decoder);
            case Change.Return(int decoder) -> {
                pool.comeBack(decoder);
                decoders.get(decoder).restart();
            }
            case Change.Add() -> {
                pool.add();
                decoders.add(new DecodeWorker(model, served, Optional.empty()));
            }
            case Change.Drain(int decoder) -> pool.leaveForGood(decoder);
            case Change.Adopt(RoutingArtifact artifact) -> pool.adopt(artifact);
        }
        placeExperts();
        PoolSnapshot snapshot = pool.snapshot();
        routers.forEach(router -> router.follow(snapshot));
        if (change instanceof Change.Adopt && use == UseSource.FORECAST) {
            describe(snapshot);
        }
        if (change instanceof Change.Fail(int decoder)) {
            fail(decoder);
        }
        List<Flight> again = List.copyOf(stranded);
        stranded.clear();
        again.forEach(this::place);
    }

    private void fail(int decoder) {
        for (Flight flight : decoders.get(decoder).fail()) {
            flight.placement.ifPresent(routers.get(flight.router)::close);
            flight.placement = Optional.empty();
            flight.pulledAt = Flight.NOT_YET;
            flight.evicted = false;
            tally.restarted(flight.request);
            if (flight.held > 0) {
                place(flight);
            } else {
                prefill(flight);
            }
        }
    }

    /** Where experts lie follows the artifact, at no cost of time. */
    private void placeExperts() {
        if (settings.ranks() == 1) {
            return;
        }
        Optional<ExpertPlacement> placement = settings.placed()
                ? pool.artifact().placement(settings.ranks(), ExpertPlacement.DEFAULT_BATCH)
                : Optional.empty();
        RankMasks contiguous = RankMasks.contiguous(served.geometry(), settings.ranks());
        for (int i = 0; i < decoders.size(); i++) {
            RankMasks masks = placement.isPresent() && pool.cluster(i).isPresent()
                    ? RankMasks.of(
                            served.geometry(), placement.get(), pool.cluster(i).getAsInt())
                    : contiguous;
            decoders.get(i).place(Optional.of(masks));
        }
    }
}
