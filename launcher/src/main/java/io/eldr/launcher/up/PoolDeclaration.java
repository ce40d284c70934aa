package io.eldr.launcher.up;

import io.eldr.core.signature.Geometry;
import java.net.URI;
import java.util.List;

/**
 * A pool as {@code up} wants it.
 *
 * @param name its name
 * @param model the model's name
 * @param geometry of the model
 * @param aliases other names by which clients may ask for it
 * @param policy how its requests are routed
 * @param workers where its workers are
 */
record PoolDeclaration(
        String name, String model, Geometry geometry, List<String> aliases, String policy, List<Worker> workers) {

    PoolDeclaration {
        aliases = List.copyOf(aliases);
        workers = List.copyOf(workers);
    }

    /** A worker in its slot. */
    record Worker(String slot, String role, URI url) {

        static Worker decode(int index, URI url) {
            return new Worker("decoder-" + index, "decode", url);
        }

        static Worker prefill(int index, URI url) {
            return new Worker("prefiller-" + index, "prefill", url);
        }
    }
}
