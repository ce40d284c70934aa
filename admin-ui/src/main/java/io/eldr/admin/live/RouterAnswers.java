package io.eldr.admin.live;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What of the routers' answers is read here; the rest is theirs. */
final class RouterAnswers {
    private RouterAnswers() {}

    /** {@code GET /v1/pools} */
    record PoolList(List<Pool> pools) {
        PoolList {
            pools = List.copyOf(pools);
        }
    }

    record Pool(
            String name,
            String model,
            Optional<String> revision,
            int layers,
            int experts,
            int topK,
            long generation,
            OptionalInt artifactVersion,
            boolean degraded) {}

    /** {@code GET /v1/pools/{pool}/decoders} */
    record Decoders(
            String policy,
            double tau,
            int minCandidates,
            OptionalLong decisions,
            Optional<Map<String, Integer>> recentReasons,
            List<Decoder> decoders) {
        Decoders {
            decoders = List.copyOf(decoders);
        }
    }

    /** {@code GET /v1/pools/{pool}/prefillers}, which routers of older versions do not have */
    record Prefillers(List<Prefiller> prefillers) {
        static final Prefillers NONE = new Prefillers(List.of());

        Prefillers {
            prefillers = List.copyOf(prefillers);
        }
    }

    record Prefiller(String id, String url, String state, OptionalInt maxInFlight, int inFlight) {}

    /** {@code GET /v1/pools/{pool}/clients} */
    record Clients(List<Client> clients) {
        static final Clients NONE = new Clients(List.of());

        Clients {
            clients = List.copyOf(clients);
        }
    }

    /** What a client measured. */
    record Client(OptionalDouble tpotP50Ms, OptionalDouble tpotP99Ms, OptionalDouble activeExperts) {}

    record Decoder(
            String id,
            String url,
            String state,
            OptionalInt cluster,
            boolean borrowed,
            double weight,
            OptionalInt maxInFlight,
            int inFlight,
            double load,
            Optional<Engine> engine,
            OptionalInt recentDecisions) {}

    record Engine(
            double running,
            double waiting,
            OptionalDouble kvUse,
            double ageSeconds,
            Optional<TokenTimes> tokenTimes,
            Optional<StepExperts> stepExperts) {}

    /** Since the engine started. */
    record TokenTimes(double seconds, double requests) {}

    /** Since the engine started. */
    record StepExperts(double experts, double steps) {}
}
