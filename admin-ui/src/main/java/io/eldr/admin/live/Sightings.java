package io.eldr.admin.live;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The states in which routers see one worker.
 *
 * @param byRouter by the routers' instances
 */
record Sightings(SortedMap<String, String> byRouter) {
    private static final String READY = "READY";
    private static final List<String> BY_GRAVITY = List.of("EJECTED", "DRAINING", "PENDING", "GONE", READY);

    /** The worst one comes first. */
    static final Comparator<String> WORST_FIRST = Comparator.comparingInt(BY_GRAVITY::indexOf);

    Sightings {
        byRouter = Collections.unmodifiableSortedMap(new TreeMap<>(byRouter));
    }

    /**
     * @param seen what each router says of it, by instance
     * @param state the state in that
     */
    static <W> Sightings of(Map<String, W> seen, Function<W, String> state) {
        SortedMap<String, String> states = new TreeMap<>();
        seen.forEach((instance, worker) -> states.put(instance, state.apply(worker)));
        return new Sightings(states);
    }

    /** How many routers give it traffic. */
    int ready() {
        return (int) byRouter.values().stream().filter(READY::equals).count();
    }

    /** All of them; empty where they are the same. */
    Optional<Map<String, String>> differing() {
        return new HashSet<>(byRouter.values()).size() > 1 ? Optional.of(byRouter) : Optional.empty();
    }
}
