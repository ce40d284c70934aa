package io.eldr.launcher.compare;

import io.eldr.launcher.client.ApiException;
import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks simulated engines what their steps were like, and tells the router what was measured. */
final class Reporter {
    private final HttpClient http;
    private final EldrClient router;
    private final List<Target> targets;
    private final String name;
    private final String note;
    private final Console console;
    private final LongSupplier nanoTime;
    private boolean lastFailed;

    /**
     * @param name what the router knows this client by
     * @param note what the router shows beside the figures
     */
    Reporter(
            HttpClient http,
            EldrClient router,
            List<Target> targets,
            String name,
            String note,
            Console console,
            LongSupplier nanoTime) {
        this.http = http;
        this.router = router;
        this.targets = List.copyOf(targets);
        this.name = name;
        this.note = note;
        this.console = console;
        this.nanoTime = nanoTime;
    }

    /** One round; a router that is away is told again in the next one. */
    void report() {
        try {
            for (Target target : targets) {
                lookAtEngines(target);
                router.put(
                        "/v1/pools/" + EldrClient.encode(target.pool()) + "/clients/" + EldrClient.encode(name),
                        target.report(nanoTime.getAsLong()).put("note", note));
            }
            lastFailed = false;
        } catch (ApiException | CommandFailedException e) {
            if (!lastFailed) {
                console.log("not reported: " + e.getMessage());
            }
            lastFailed = true;
        }
    }

    /** Real engines do not tell: then there are no such figures. */
    private void lookAtEngines(Target target) {
        EngineSteps.Totals totals = EngineSteps.Totals.NONE;
        JsonNode decoders = router.get("/v1/pools/" + EldrClient.encode(target.pool()) + "/decoders")
                .path("decoders");
        for (JsonNode decoder : decoders) {
            Optional<JsonNode> state = state(decoder.path("url").asString(""));
            if (state.isEmpty()) {
                return;
            }
            totals = totals.plus(new EngineSteps.Totals(
                    state.get().path("steps").asLong(0),
                    state.get().path("stepRequests").asLong(0),
                    state.get().path("activeExperts").asLong(0)));
        }
        target.steps().add(nanoTime.getAsLong(), totals);
    }

    private Optional<JsonNode> state(String url) {
        try {
            // The token is for the router and goes to nobody else.
            return new EldrClient(http, JsonMapper.shared(), URI.create(url), "none").find("/sim/state");
        } catch (ApiException | CommandFailedException e) {
            return Optional.empty();
        }
    }
}
