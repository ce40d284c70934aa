package io.eldr.engine.transfer;

import io.eldr.engine.decode.ModelTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The prompts whose KV blocks one prefill worker keeps for a decoder. Each is pulled once. Until a decoder has the request its
 * lease runs; from then on the decoder's heartbeat extends it, and where that stops it runs out.
 */
public final class Transfers {
    private final String engineId;
    private final Duration lease;
    private final ModelTime time;
    private final TransferListener listener;
    private final Map<String, Pinned> pinned = new HashMap<>();
    private long pinnedTokens;
    private boolean stopped;

    /** Hears when blocks are free again. */
    public interface TransferListener {
        /** @param expired nobody pulled them in time */
        void onFreed(boolean expired);
    }

    private static final class Pinned {
        private final int tokens;
        private Optional<BooleanSupplier> heartbeat = Optional.empty();
        private ModelTime.Timer timer = () -> {};

        private Pinned(int tokens) {
            this.tokens = tokens;
        }
    }

    public Transfers(String engineId, Duration lease, ModelTime time, TransferListener listener) {
        this.engineId = engineId;
        this.lease = lease;
        this.time = time;
        this.listener = listener;
    }

    public String engineId() {
        return engineId;
    }

    /** Keeps a prompt's blocks from now on. */
    public synchronized void pin(String requestId, int tokens) {
        if (stopped) {
            return;
        }
        Pinned blocks = new Pinned(tokens);
        pinned.put(requestId, blocks);
        pinnedTokens += tokens;
        blocks.timer = time.afterReal(lease, () -> leaseOver(requestId, blocks));
    }

    /**
     * A decoder wants to pull.
     *
     * @param heartbeat whether that decoder still lives
     * @return whether the blocks are there; not if they were pulled, claimed or freed before
     */
    public synchronized boolean claim(String requestId, BooleanSupplier heartbeat) {
        Pinned blocks = pinned.get(requestId);
        if (blocks == null || blocks.heartbeat.isPresent()) {
            return false;
        }
        blocks.heartbeat = Optional.of(heartbeat);
        return true;
    }

    /** The blocks were pulled, or nobody wants them; no matter if they are gone. */
    public void release(String requestId) {
        if (remove(requestId)) {
            listener.onFreed(false);
        }
    }

    /** Lets every lease that no decoder keeps alive end now. */
    public void expireAll() {
        List<String> unclaimed = new ArrayList<>();
        synchronized (this) {
            pinned.forEach((id, blocks) -> {
                if (blocks.heartbeat.isEmpty()) {
                    unclaimed.add(id);
                }
            });
        }
        unclaimed.forEach(this::expire);
    }

    public synchronized int pinned() {
        return pinned.size();
    }

    public synchronized long pinnedTokens() {
        return pinnedTokens;
    }

    /** Forgets everything, as a crash does. */
    public synchronized void stop() {
        stopped = true;
        pinned.values().forEach(blocks -> blocks.timer.cancel());
        pinned.clear();
        pinnedTokens = 0;
    }

    private void leaseOver(String requestId, Pinned blocks) {
        synchronized (this) {
            if (stopped || pinned.get(requestId) != blocks) {
                return;
            }
            if (blocks.heartbeat.isPresent() && blocks.heartbeat.get().getAsBoolean()) {
                blocks.timer = time.afterReal(lease, () -> leaseOver(requestId, blocks));
                return;
            }
        }
        expire(requestId);
    }

    private void expire(String requestId) {
        if (remove(requestId)) {
            listener.onFreed(true);
        }
    }

    private synchronized boolean remove(String requestId) {
        Pinned blocks = pinned.remove(requestId);
        if (blocks == null) {
            return false;
        }
        blocks.timer.cancel();
        pinnedTokens -= blocks.tokens;
        return true;
    }
}
