package io.eldr.launcher.up;

import io.eldr.core.signature.Geometry;
import io.eldr.launcher.client.HttpAddress;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.UsageException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code up} that name engines which run already. */
final class EngineOptions {

    @Option(
            names = "--prefill",
            split = ",",
            paramLabel = "URL",
            description = "prefill workers that run already, in place of the simulated ones")
    private List<String> prefill = List.of();

    @Option(
            names = "--decode",
            split = ",",
            paramLabel = "URL",
            description = "their decode workers; the first one is asked for the model's name")
    private List<String> decode = List.of();

    @Option(
            names = "--pool",
            paramLabel = "NAME",
            defaultValue = "main",
            description = "what to call the pool of these workers (default: ${DEFAULT-VALUE})")
    private String pool = "main";

    @Option(
            names = "--geometry",
            paramLabel = "LxExK",
            description = "MoE layers, experts of each, and how many of them a token uses, where the model is none that"
                    + " ELDR knows: 48x128x8")
    private @Nullable String geometry;

    boolean isGiven() {
        return !prefill.isEmpty() || !decode.isEmpty();
    }

    /**
     * Asks the first decoder what it serves.
     *
     * @throws UsageException if the options do not go together
     * @throws CommandFailedException if the decoder does not say, or the model is not known
     */
    PoolDeclaration pool(HttpClient http) {
        if (prefill.isEmpty() || decode.isEmpty()) {
            throw new UsageException("--prefill and --decode go together: a request passes through one of each");
        }
        List<PoolDeclaration.Worker> workers = new ArrayList<>();
        for (int i = 0; i < decode.size(); i++) {
            workers.add(PoolDeclaration.Worker.decode(i, HttpAddress.parse("--decode", decode.get(i))));
        }
        for (int i = 0; i < prefill.size(); i++) {
            workers.add(PoolDeclaration.Worker.prefill(i, HttpAddress.parse("--prefill", prefill.get(i))));
        }
        URI first = workers.getFirst().url();
        ServedModel model = ServedModel.ask(http, first);
        return new PoolDeclaration(pool, model.name(), geometry(model, first), model.otherNames(), "eldr", workers);
    }

    private Geometry geometry(ServedModel model, URI asked) {
        if (geometry != null) {
            return KnownModels.parse("--geometry", geometry);
        }
        return KnownModels.of(model.allNames())
                .orElseThrow(() -> new CommandFailedException("ELDR does not know how many experts '" + model.name()
                        + "' of " + asked + " has; give --geometry LxExK: MoE layers, experts (num_experts,"
                        + " n_routed_experts or num_local_experts in its config.json), experts per token"
                        + " (num_experts_per_tok or top_k_experts)"));
    }
}
