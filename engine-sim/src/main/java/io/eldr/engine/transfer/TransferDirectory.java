package io.eldr.engine.transfer;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The workers of this process that keep blocks, by engine id: what NIXL's side channel is between real ones. */
public final class TransferDirectory {
    private final Map<String, Transfers> byEngine = new ConcurrentHashMap<>();

    public void add(Transfers transfers) {
        byEngine.put(transfers.engineId(), transfers);
    }

    public void remove(Transfers transfers) {
        byEngine.remove(transfers.engineId(), transfers);
    }

    /** Nothing for a worker that is gone or was never here. */
    public Optional<Transfers> of(String engineId) {
        return Optional.ofNullable(byEngine.get(engineId));
    }
}
