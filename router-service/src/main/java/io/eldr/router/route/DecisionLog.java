package io.eldr.router.route;

import io.eldr.router.RouterProperties;
import io.eldr.router.policy.ShadowChoice;
import io.eldr.router.pool.RecentDecisions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The newest decisions, as many as configured: a ring that overwrites the oldest, and an index by request. */
@Component
final class DecisionLog implements RecentDecisions {

    private final AtomicReferenceArray<@Nullable DecisionRecord> ring;
    private final ConcurrentMap<String, DecisionRecord> byRequest = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Shadowed> shadows = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    /** By pool; one that is deleted leaves its number here. */
    private final ConcurrentMap<String, LongAdder> sinceStart = new ConcurrentHashMap<>();

    private record Shadowed(DecisionRecord decision, ShadowChoice choice) {}

    DecisionLog(RouterProperties properties) {
        this.ring = new AtomicReferenceArray<>(properties.decisions().keep());
    }

    void add(DecisionRecord decision) {
        sinceStart
                .computeIfAbsent(decision.chosen().version().pool(), _ -> new LongAdder())
                .increment();
        byRequest.put(decision.requestId(), decision);
        int place = (int) Math.floorMod(next.getAndIncrement(), (long) ring.length());
        DecisionRecord oldest = ring.getAndSet(place, decision);
        if (oldest != null) {
            byRequest.remove(oldest.requestId(), oldest);
            shadows.computeIfPresent(
                    oldest.requestId(), (_, shadowed) -> shadowed.decision().equals(oldest) ? null : shadowed);
        }
    }

    /** What a shadow would have done, kept as long as the decision. */
    void shadowed(DecisionRecord decision, ShadowChoice choice) {
        shadows.put(decision.requestId(), new Shadowed(decision, choice));
        if (!decision.equals(byRequest.get(decision.requestId()))) {
            shadows.computeIfPresent(
                    decision.requestId(), (_, shadowed) -> shadowed.decision().equals(decision) ? null : shadowed);
        }
    }

    /** What a shadow would have done, where one was asked. */
    Optional<ShadowChoice> shadow(DecisionRecord decision) {
        return Optional.ofNullable(shadows.get(decision.requestId()))
                .filter(shadowed -> shadowed.decision().equals(decision))
                .map(Shadowed::choice);
    }

    /** The newest decision for a request of this name, in whatever pool. */
    Optional<DecisionRecord> find(String requestId) {
        return Optional.ofNullable(byRequest.get(requestId));
    }

    /** How many are kept, of all pools. */
    int size() {
        return ring.length();
    }

    /** A pool's newest decisions, newest first. */
    List<DecisionRecord> newest(String pool, int limit) {
        List<DecisionRecord> found = new ArrayList<>();
        long end = next.get();
        for (long i = end - 1; i >= Math.max(0, end - ring.length()) && found.size() < limit; i--) {
            DecisionRecord decision = ring.get((int) Math.floorMod(i, (long) ring.length()));
            if (decision != null && isOf(pool, decision)) {
                found.add(decision);
            }
        }
        return found;
    }

    @Override
    public Counts of(String pool) {
        Map<String, Integer> perDecoder = new HashMap<>();
        Map<String, Integer> perReason = new HashMap<>();
        for (int i = 0; i < ring.length(); i++) {
            DecisionRecord decision = ring.get(i);
            if (decision != null && isOf(pool, decision)) {
                perDecoder.merge(decision.chosen().decoder().id(), 1, Integer::sum);
                perReason.merge(decision.chosen().reason().id(), 1, Integer::sum);
            }
        }
        LongAdder all = sinceStart.get(pool);
        return new Counts(all == null ? 0 : all.sum(), perDecoder, perReason);
    }

    private static boolean isOf(String pool, DecisionRecord decision) {
        return decision.chosen().version().pool().equals(pool);
    }
}
