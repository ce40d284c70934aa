package io.eldr.calibration;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A pool that is made at the start if there is none of its name ({@code eldr.calibration.pools}). What it says of a pool that
 * is there already does not count: its settings are the operator's.
 *
 * @param name names it in paths
 * @param model as the engines report it
 * @param revision of the model; any where it is null
 * @param layers L
 * @param experts E
 * @param topK k
 * @param aliases further names of the model
 * @param dialect what the engines understand, vllm or prefill-first; the registry's default where it is null
 * @param engineModel what engines call the model; where it is null, what the client calls it
 * @param adapters names of adapters that engines serve beside the model
 * @param policy which policy decides; the registry's default where it is null
 * @param workers those with a fixed URL; a slot that is there gets this URL, role and probe and keeps the rest
 */
public record DeclaredPool(
        String name,
        String model,
        @Nullable String revision,
        int layers,
        int experts,
        int topK,
        @DefaultValue List<String> aliases,
        @Nullable String dialect,
        @Nullable String engineModel,
        @DefaultValue List<String> adapters,
        @Nullable String policy,
        @DefaultValue List<DeclaredWorker> workers) {

    public DeclaredPool {
        require("name", name);
        require("model", model);
        requirePositive("layers", layers);
        requirePositive("experts", experts);
        requirePositive("top-k", topK);
        aliases = List.copyOf(aliases);
        adapters = List.copyOf(adapters);
        workers = List.copyOf(workers);
        Set<String> slots = new HashSet<>();
        for (DeclaredWorker worker : workers) {
            if (!slots.add(worker.slot())) {
                throw new IllegalArgumentException(
                        "eldr.calibration.pools[].workers names slot '" + worker.slot() + "' twice");
            }
        }
    }

    /**
     * @param slot names it in its pool
     * @param role decode or prefill
     * @param url where it answers
     * @param probe http, or none
     */
    public record DeclaredWorker(
            String slot,
            @DefaultValue("decode") String role,
            String url,
            @DefaultValue("http") String probe) {
        public DeclaredWorker {
            require("workers[].slot", slot);
            require("workers[].url", url);
        }
    }

    public Optional<String> revisionIfAny() {
        return Optional.ofNullable(revision);
    }

    public Optional<String> dialectIfAny() {
        return Optional.ofNullable(dialect);
    }

    public Optional<String> engineModelIfAny() {
        return Optional.ofNullable(engineModel);
    }

    public Optional<String> policyIfAny() {
        return Optional.ofNullable(policy);
    }

    /** The binder passes null for what the configuration does not name. */
    private static void require(String property, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("eldr.calibration.pools[]." + property + " is missing");
        }
    }

    private static void requirePositive(String property, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "eldr.calibration.pools[]." + property + " must be at least 1 but is " + value);
        }
    }
}
