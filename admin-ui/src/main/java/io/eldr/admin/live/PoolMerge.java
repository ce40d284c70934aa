package io.eldr.admin.live;

import io.eldr.admin.live.LiveState.DecoderState;
import io.eldr.admin.live.LiveState.Health;
import io.eldr.admin.live.LiveState.PoolState;
import io.eldr.admin.live.LiveState.PrefillerState;
import io.eldr.admin.live.RouterAnswers.Client;
import io.eldr.admin.live.RouterAnswers.Decoder;
import io.eldr.admin.live.RouterAnswers.Engine;
import io.eldr.admin.live.RouterAnswers.Pool;
import io.eldr.admin.live.RouterAnswers.Prefiller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One pool as all its routers see it together. Requests add up over routers; each router's load is an estimate of the
 * whole load already, so the highest counts; engines are the same for all, so the freshest answer counts. Of a worker that
 * came anew under its name, a router lists the present incarnation first: its state counts, and what both have in flight.
 */
final class PoolMerge {
    private static final Duration ENGINE_WINDOW = Duration.ofSeconds(30);
    private static final Duration DECISION_WINDOW = Duration.ofSeconds(10);
    private static final Set<String> INSIDE_BAND = Set.of("nearest", "band", "borrowed-centroid");
    private static final Set<String> BY_SIMILARITY =
            Set.of("nearest", "band", "borrowed-centroid", "min-candidates", "widened");
    private final Map<String, Window> tokenTimes = new HashMap<>();
    private final Map<String, Window> stepExperts = new HashMap<>();
    private final Map<String, Window> decisions = new HashMap<>();

    /**
     * A router's view of the pool.
     *
     * @param at when it was read
     */
    record View(String instance, RouterReading.PoolReading reading, Health health, Instant at) {}

    PoolState merge(String name, List<View> views) {
        List<View> fresh = views.stream().filter(view -> !view.health().stale()).toList();
        List<View> used = fresh.isEmpty() ? views : fresh;
        View newest = used.stream()
                .max(Comparator.comparingLong(view -> view.reading().pool().generation()))
                .orElseThrow();
        Pool pool = newest.reading().pool();
        Map<String, Integer> reasons = new TreeMap<>();
        used.forEach(view -> view.reading()
                .detail()
                .recentReasons()
                .ifPresent(counts -> counts.forEach((reason, count) -> reasons.merge(reason, count, Integer::sum))));
        int recent = reasons.values().stream().mapToInt(Integer::intValue).sum();
        List<DecoderState> decoders = decoders(used, recent);
        return new PoolState(
                name,
                fresh.isEmpty() ? views.getFirst().health() : newest.health(),
                pool.model(),
                pool.revision(),
                pool.layers(),
                pool.experts(),
                pool.topK(),
                newest.reading().detail().policy(),
                newest.reading().detail().tau(),
                newest.reading().detail().minCandidates(),
                pool.generation(),
                pool.artifactVersion(),
                used.stream().anyMatch(view -> view.reading().pool().degraded()),
                (int) decoders.stream().filter(decoder -> decoder.readyOn() > 0).count(),
                recent,
                reasons,
                share(reasons, reason -> !reason.equals("nearest")),
                share(reasons, reason -> !INSIDE_BAND.contains(reason)),
                perSecond(used),
                millis(mean(tokenTimes)),
                reported(used, Client::tpotP50Ms),
                reported(used, Client::tpotP99Ms),
                activeExperts(used),
                decoders,
                prefillers(used));
    }

    private static OptionalDouble share(Map<String, Integer> reasons, Predicate<String> counted) {
        int all = 0;
        int hits = 0;
        for (Map.Entry<String, Integer> entry : reasons.entrySet()) {
            if (BY_SIMILARITY.contains(entry.getKey())) {
                all += entry.getValue();
                hits += counted.test(entry.getKey()) ? entry.getValue() : 0;
            }
        }
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(hits / (double) all);
    }

    private OptionalDouble perSecond(List<View> views) {
        decisions.keySet().retainAll(views.stream().map(View::instance).toList());
        double sum = 0;
        boolean known = false;
        for (View view : views) {
            if (view.reading().detail().decisions().isEmpty()) {
                continue;
            }
            Window window = decisions.computeIfAbsent(view.instance(), _ -> new Window(DECISION_WINDOW));
            window.add(
                    view.at(), 0, (double) view.reading().detail().decisions().getAsLong());
            OptionalDouble rate = window.countPerSecond();
            known |= rate.isPresent();
            sum += rate.orElse(0);
        }
        return known ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }

    /** Over all decoders. */
    private static OptionalDouble mean(Map<String, Window> windows) {
        double sum = 0;
        double count = 0;
        for (Window window : windows.values()) {
            sum += window.sum();
            count += window.count();
        }
        return count > 0 ? OptionalDouble.of(sum / count) : OptionalDouble.empty();
    }

    private static OptionalDouble millis(OptionalDouble seconds) {
        return seconds.isPresent() ? OptionalDouble.of(1_000 * seconds.getAsDouble()) : seconds;
    }

    /** The mean over the clients that know a figure. */
    private static OptionalDouble reported(List<View> views, Function<Client, OptionalDouble> figure) {
        return views.stream()
                .flatMap(view -> view.reading().clients().clients().stream())
                .map(figure)
                .flatMapToDouble(OptionalDouble::stream)
                .average();
    }

    /** By engines that count them, else by clients. */
    private OptionalDouble activeExperts(List<View> views) {
        OptionalDouble byEngines = mean(stepExperts);
        return byEngines.isPresent() ? byEngines : reported(views, Client::activeExperts);
    }

    private List<DecoderState> decoders(List<View> views, int recent) {
        Map<String, List<Seen>> byId = new TreeMap<>();
        for (View view : views) {
            for (Decoder decoder : view.reading().detail().decoders()) {
                byId.computeIfAbsent(decoder.id(), _ -> new ArrayList<>()).add(new Seen(decoder, view));
            }
        }
        tokenTimes.keySet().retainAll(byId.keySet());
        stepExperts.keySet().retainAll(byId.keySet());
        return byId.entrySet().stream()
                .map(entry -> decoder(entry.getKey(), entry.getValue(), recent))
                .toList();
    }

    private record Seen(Decoder decoder, View view) {
        Instant engineAsked(Engine engine) {
            return view.at().minusMillis(Math.round(1_000 * engine.ageSeconds()));
        }
    }

    private DecoderState decoder(String id, List<Seen> seen, int recent) {
        SortedMap<String, Decoder> present = new TreeMap<>();
        seen.forEach(one -> present.putIfAbsent(one.view().instance(), one.decoder()));
        Decoder worst = present.values().stream()
                .min(Comparator.comparing(Decoder::state, Sightings.WORST_FIRST))
                .orElseThrow();
        Sightings sightings = Sightings.of(present, Decoder::state);
        Optional<Seen> freshest = seen.stream()
                .filter(one -> one.decoder().engine().isPresent())
                .max(Comparator.comparing(
                        one -> one.engineAsked(one.decoder().engine().orElseThrow())));
        Optional<Engine> engine = freshest.flatMap(one -> one.decoder().engine());
        freshest.ifPresent(one -> count(id, one));
        int decided = seen.stream()
                .mapToInt(one -> one.decoder().recentDecisions().orElse(0))
                .sum();
        return new DecoderState(
                id,
                worst.url(),
                worst.state(),
                sightings.ready(),
                sightings.differing(),
                seen.stream()
                        .map(one -> one.decoder().cluster())
                        .filter(OptionalInt::isPresent)
                        .findFirst()
                        .orElse(OptionalInt.empty()),
                worst.borrowed(),
                worst.weight(),
                worst.maxInFlight(),
                seen.stream().mapToInt(one -> one.decoder().inFlight()).sum(),
                seen.stream().mapToDouble(one -> one.decoder().load()).max().orElse(0),
                engine.map(said -> OptionalDouble.of(said.running())).orElse(OptionalDouble.empty()),
                engine.map(said -> OptionalDouble.of(said.waiting())).orElse(OptionalDouble.empty()),
                engine.map(Engine::kvUse).orElse(OptionalDouble.empty()),
                recent == 0 ? 0 : decided / (double) recent,
                millis(mean(engine.flatMap(Engine::tokenTimes).isPresent(), tokenTimes, id)),
                mean(engine.flatMap(Engine::stepExperts).isPresent(), stepExperts, id));
    }

    private static List<PrefillerState> prefillers(List<View> views) {
        Map<String, List<SeenPrefiller>> byId = new TreeMap<>();
        for (View view : views) {
            for (Prefiller prefiller : view.reading().prefillers().prefillers()) {
                byId.computeIfAbsent(prefiller.id(), _ -> new ArrayList<>())
                        .add(new SeenPrefiller(prefiller, view.instance()));
            }
        }
        return byId.values().stream().map(PoolMerge::prefiller).toList();
    }

    private record SeenPrefiller(Prefiller prefiller, String instance) {}

    private static PrefillerState prefiller(List<SeenPrefiller> seen) {
        SortedMap<String, Prefiller> present = new TreeMap<>();
        seen.forEach(one -> present.putIfAbsent(one.instance(), one.prefiller()));
        Prefiller worst = present.values().stream()
                .min(Comparator.comparing(Prefiller::state, Sightings.WORST_FIRST))
                .orElseThrow();
        Sightings sightings = Sightings.of(present, Prefiller::state);
        return new PrefillerState(
                worst.id(),
                worst.url(),
                worst.state(),
                sightings.ready(),
                sightings.differing(),
                worst.maxInFlight(),
                seen.stream().mapToInt(one -> one.prefiller().inFlight()).sum());
    }

    private void count(String id, Seen seen) {
        Engine engine = seen.decoder().engine().orElseThrow();
        Instant at = seen.engineAsked(engine);
        engine.tokenTimes()
                .ifPresent(times -> tokenTimes
                        .computeIfAbsent(id, _ -> new Window(ENGINE_WINDOW))
                        .add(at, times.seconds(), times.requests()));
        engine.stepExperts()
                .ifPresent(found -> stepExperts
                        .computeIfAbsent(id, _ -> new Window(ENGINE_WINDOW))
                        .add(at, found.experts(), found.steps()));
    }

    private static OptionalDouble mean(boolean told, Map<String, Window> windows, String id) {
        @Nullable Window window = told ? windows.get(id) : null;
        return window == null || window.count() <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(window.sum() / window.count());
    }
}
