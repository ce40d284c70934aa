package io.eldr.launcher.up;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A pool of engines that run somewhere already. */
final class EnginePool {

    private final PoolRegistry registry;

    EnginePool(PoolRegistry registry) {
        this.registry = registry;
    }

    /** Makes the pool or gives it these workers, and waits until one of its decoders gets traffic. */
    void makeReady(PoolDeclaration pool) {
        registry.create(pool);
        List<JsonNode> present = registry.workers(pool.name());
        for (JsonNode known : present) {
            String slot = known.path("slot").asString("");
            if (pool.workers().stream().noneMatch(worker -> worker.slot().equals(slot))) {
                registry.remove(pool.name(), slot);
            }
        }
        for (PoolDeclaration.Worker worker : pool.workers()) {
            Optional<JsonNode> known = present.stream()
                    .filter(candidate -> candidate.path("slot").asString("").equals(worker.slot()))
                    .findFirst();
            registry.declare(pool.name(), worker, known);
        }
        registry.awaitRouter(pool.name());
    }
}
