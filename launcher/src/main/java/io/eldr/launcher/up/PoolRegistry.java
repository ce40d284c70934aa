package io.eldr.launcher.up;

import io.eldr.core.signature.Geometry;
import io.eldr.launcher.client.ApiException;
import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes pools at the calibration service, and waits until the router has followed. */
final class PoolRegistry {

    private static final Duration PERIOD = Duration.ofMillis(250);

    private final EldrClient calibration;
    private final EldrClient router;
    private final Console console;
    private final Duration patience;

    /** @param patience how long a refit, and the router after it, may take */
    PoolRegistry(EldrClient calibration, EldrClient router, Console console, Duration patience) {
        this.calibration = calibration;
        this.router = router;
        this.console = console;
        this.patience = patience;
    }

    EldrClient calibration() {
        return calibration;
    }

    Console console() {
        return console;
    }

    static String path(String pool) {
        return "/v1/pools/" + EldrClient.encode(pool);
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Makes the pool if there is none of its name; one that is there stays as it is. */
    void create(PoolDeclaration pool) {
        Optional<JsonNode> present = calibration.find(path(pool.name()));
        if (present.isPresent()) {
            requireSameModel(pool, present.get());
            return;
        }
        console.log("creating pool " + pool.name());
        Geometry geometry = pool.geometry();
        ObjectNode body = object().put("name", pool.name())
                .put("model", pool.model())
                .put("layers", geometry.layers())
                .put("experts", geometry.experts())
                .put("topK", geometry.topK())
                .put("policy", pool.policy());
        pool.aliases().forEach(body.putArray("aliases")::add);
        calibration.post("/v1/pools", body);
    }

    private static void requireSameModel(PoolDeclaration pool, JsonNode present) {
        Geometry geometry = pool.geometry();
        boolean same = present.path("model").asString("").equals(pool.model())
                && present.path("layers").asInt(0) == geometry.layers()
                && present.path("experts").asInt(0) == geometry.experts()
                && present.path("topK").asInt(0) == geometry.topK();
        if (!same) {
            throw new CommandFailedException("Pool " + pool.name() + " exists and is of model "
                    + present.path("model").asString("") + " ("
                    + present.path("layers").asInt(0) + "x"
                    + present.path("experts").asInt(0) + "x"
                    + present.path("topK").asInt(0) + "), not "
                    + pool.model() + " (" + geometry.layers() + "x" + geometry.experts() + "x" + geometry.topK()
                    + "); choose another --pool, or begin anew with --fresh");
        }
    }

    /** The declared workers of a pool, as the calibration service shows them. */
    List<JsonNode> workers(String pool) {
        return calibration.get(path(pool) + "/workers").valueStream().toList();
    }

    /** Declares a worker; what was set about its slot before stays, but for its address. */
    void declare(String pool, PoolDeclaration.Worker worker, Optional<JsonNode> before) {
        ObjectNode declaration =
                object().put("role", worker.role()).put("url", worker.url().toString());
        for (String property : List.of("weight", "maxInFlight", "revision")) {
            before.filter(node -> node.hasNonNull(property))
                    .ifPresent(node -> declaration.set(property, node.get(property)));
        }
        declaration.put(
                "probe", before.map(node -> node.path("probe").asString("http")).orElse("http"));
        calibration.put(path(pool) + "/workers/" + EldrClient.encode(worker.slot()), declaration);
    }

    void remove(String pool, String slot) {
        calibration.delete(path(pool) + "/workers/" + EldrClient.encode(slot));
    }

    /** The artifact version that is active. */
    OptionalInt activeVersion(String pool) {
        return calibration.find(path(pool) + "/activations/current").stream()
                .mapToInt(current -> current.path("version").asInt(0))
                .findFirst();
    }

    /** The router follows within moments; what is pasted after "ready" must not meet it before. */
    void awaitRouter(String pool) {
        long deadline = System.nanoTime() + patience.toNanos();
        OptionalInt active = activeVersion(pool);
        while (active.isPresent() && !runningVersion(pool).equals(active)) {
            pauseUntil(deadline, "The router does not run artifact version " + active.getAsInt() + " of pool " + pool);
        }
        boolean hasDecoders = workers(pool).stream()
                .anyMatch(worker -> worker.path("role").asString("").equals("decode"));
        while (hasDecoders && !servesDecoders(pool)) {
            pauseUntil(deadline, "The router has seen no decoder of pool " + pool + " healthy");
        }
    }

    /** Whether a decoder gets traffic already; nobody waits for decoders that are drained or gone. */
    private boolean servesDecoders(String pool) {
        List<String> states = router.find(path(pool) + "/decoders").stream()
                .flatMap(decoders -> decoders.path("decoders").valueStream())
                .map(decoder -> decoder.path("state").asString(""))
                .toList();
        return states.contains("READY") || (!states.isEmpty() && !states.contains("PENDING"));
    }

    private OptionalInt runningVersion(String pool) {
        try {
            return router.find(path(pool) + "/artifact").stream()
                    .mapToInt(artifact -> artifact.path("version").asInt(0))
                    .findFirst();
        } catch (ApiException e) {
            // The router serves before it knows its pools.
            return OptionalInt.empty();
        }
    }

    /** The moment at which whoever begins to wait now has waited long enough. */
    long deadline() {
        return System.nanoTime() + patience.toNanos();
    }

    /** @throws CommandFailedException with {@code otherwise} if the deadline is over */
    void pauseUntil(long deadline, String otherwise) {
        if (System.nanoTime() > deadline) {
            throw new CommandFailedException(otherwise + " after " + patience.toSeconds() + " seconds");
        }
        Pauses.sleep(PERIOD);
    }
}
