package io.eldr.core.routing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.eldr.core.artifact.RoutingArtifact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which cluster stands for which live decoder, where the live set may differ from the artifact's slots. The same for every
 * router that sees the same set:
 *
 * <ol>
 *   <li>A decoder that the artifact names keeps its cluster.
 *   <li>The others take over the clusters of missing slots, both in the order of their names.
 *   <li>Clusters that are still missing a decoder are skipped.
 *   <li>Decoders that are still without a cluster borrow, in the order of their names, that of the slot with the largest
 *       held-out share not yet borrowed (where shares are unknown or equal, the first); once all were borrowed, it starts
 *       over.
 * </ol>
 */
public final class SlotBinding {
    /** Names by code point. */
    public static final Comparator<String> BY_NAME =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

    private final Map<String, ClusterBinding> bindings;
    private final List<Integer> missing;

    private SlotBinding(Map<String, ClusterBinding> bindings, List<Integer> missing) {
        this.bindings = Map.copyOf(bindings);
        this.missing = List.copyOf(missing);
    }

    /** @param live the slots of all decoders that are not gone, whether or not they take requests at the moment */
    public static SlotBinding of(RoutingArtifact artifact, Collection<String> live) {
        return of(artifact.slots(), artifact.heldOutShares(), live);
    }

    static SlotBinding of(List<String> slots, Optional<List<Double>> heldOutShares, Collection<String> live) {
        Set<String> alive = new HashSet<>(live);
        Map<String, ClusterBinding> bindings = new HashMap<>();
        List<Integer> missing = new ArrayList<>();
        for (int k = 0; k < slots.size(); k++) {
            if (alive.contains(slots.get(k))) {
                bindings.put(slots.get(k), new ClusterBinding(k, false));
            } else {
                missing.add(k);
            }
        }
        missing.sort(Comparator.comparing(slots::get, BY_NAME));
        Iterator<String> unknown = alive.stream()
                .filter(slot -> !bindings.containsKey(slot))
                .sorted(BY_NAME)
                .toList()
                .iterator();
        Iterator<Integer> vacant = missing.iterator();
        while (vacant.hasNext() && unknown.hasNext()) {
            bindings.put(unknown.next(), new ClusterBinding(vacant.next(), false));
            vacant.remove();
        }
        List<Integer> lenders = byShare(slots.size(), heldOutShares);
        for (int i = 0; unknown.hasNext(); i++) {
            bindings.put(unknown.next(), new ClusterBinding(lenders.get(i % lenders.size()), true));
        }
        return new SlotBinding(bindings, missing);
    }

    private static List<Integer> byShare(int clusters, Optional<List<Double>> shares) {
        Comparator<Integer> largestFirst = Comparator.comparing(
                (Integer k) -> shares.isPresent() ? shares.get().get(k) : 0.0, Comparator.reverseOrder());
        return IntStream.range(0, clusters).boxed().sorted(largestFirst).toList();
    }

    /** The cluster of a decoder; empty for one that was not among the live. */
    public Optional<ClusterBinding> cluster(String slot) {
        return Optional.ofNullable(bindings.get(slot));
    }

    /** The clusters that no live decoder stands for, in the order of their slots' names. */
    public List<Integer> missingClusters() {
        return missing;
    }

    /** The decoders that share another's cluster, in the order of their names: reason enough for a refit. */
    public List<String> borrowers() {
        return bindings.entrySet().stream()
                .filter(entry -> entry.getValue().borrowed())
                .map(Map.Entry::getKey)
                .sorted(BY_NAME)
                .toList();
    }
}
