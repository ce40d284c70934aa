package io.eldr.launcher.up;

import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.core.trace.TraceSamples;
import io.eldr.launcher.client.ApiException;
import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.client.SampleUpload;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pool {@code demo}: eight decoders, the samples that come with ELDR, a first artifact. Whatever is there already
 * stays as it is, so that it can be made again at every start.
 */
final class DemoPool {

    static final String NAME = "demo";

    private static final String PATH = "/v1/pools/" + NAME;
    private static final Set<String> OPEN_STATES = Set.of("QUEUED", "RUNNING");
    private static final Duration PERIOD = Duration.ofMillis(250);

    private final EldrClient calibration;
    private final EldrClient router;
    private final Console console;
    private final Duration patience;

    /** @param patience how long the first refit, and the router after it, may take */
    DemoPool(EldrClient calibration, EldrClient router, Console console, Duration patience) {
        this.calibration = calibration;
        this.router = router;
        this.console = console;
        this.patience = patience;
    }

    /**
     * Makes what is missing and waits until the router routes by the active artifact.
     *
     * @param traces the folder of the calibration trace
     */
    void makeReady(Path traces, Addresses addresses) throws IOException {
        if (calibration.find(PATH + "/activations/current").isEmpty()) {
            RoutingTrace trace = RoutingTrace.read(traces);
            createPool(trace);
            registerDecoders(addresses);
            sendSamples(trace);
            awaitRefit(openRefit().orElseGet(this::startRefit));
        } else {
            moveDecoders(addresses);
        }
        awaitRouter();
    }

    private void createPool(RoutingTrace trace) {
        if (calibration.find(PATH).isPresent()) {
            return;
        }
        console.log("creating pool " + NAME);
        calibration.post(
                "/v1/pools",
                object().put("name", NAME)
                        .put("model", trace.model())
                        .put("layers", trace.geometry().layers())
                        .put("experts", trace.geometry().experts())
                        .put("topK", trace.geometry().topK()));
    }

    private void registerDecoders(Addresses addresses) {
        for (int i = 0; i < Ports.DECODERS; i++) {
            calibration.put(
                    PATH + "/workers/decoder-" + i,
                    object().put("role", "decode")
                            .put("url", addresses.decoder(i).toString())
                            .put("probe", "http"));
        }
    }

    /** The demo's own decoders follow the ports; what was removed or points elsewhere by now stays as it is. */
    private void moveDecoders(Addresses addresses) {
        for (JsonNode worker : calibration.get(PATH + "/workers")) {
            String present = worker.path("url").asString("");
            for (int i = 0; i < Ports.DECODERS; i++) {
                String url = addresses.decoder(i).toString();
                if (worker.path("slot").asString("").equals("decoder-" + i)
                        && present.startsWith("http://127.0.0.1:")
                        && !present.equals(url)) {
                    moveDecoder(worker, url);
                }
            }
        }
    }

    private void moveDecoder(JsonNode worker, String url) {
        ObjectNode declaration = object();
        for (String property : List.of("role", "weight", "maxInFlight", "probe", "revision")) {
            if (worker.hasNonNull(property)) {
                declaration.set(property, worker.get(property));
            }
        }
        calibration.put(PATH + "/workers/" + worker.path("slot").asString(""), declaration.put("url", url));
    }

    private void sendSamples(RoutingTrace trace) {
        TraceSamples samples = TraceSamples.of(trace, new SignatureSource.Prefill());
        console.log("sending " + samples.samples().size() + " samples");
        new SampleUpload(calibration, NAME).send(samples.samples());
    }

    /** A refit that an earlier start began and did not wait for; it goes on by itself. */
    private Optional<String> openRefit() {
        return calibration
                .get(PATH + "/refits")
                .valueStream()
                .filter(refit -> OPEN_STATES.contains(refit.path("state").asString("")))
                .map(refit -> refit.path("id").asString(""))
                .filter(id -> !id.isEmpty())
                .findFirst();
    }

    private String startRefit() {
        console.log("fitting the first artifact");
        JsonNode refit = calibration.post(PATH + "/refits", object());
        String id = refit.path("id").asString("");
        if (id.isEmpty()) {
            throw new CommandFailedException("The calibration service does not name the refit it started: " + refit);
        }
        return id;
    }

    private void awaitRefit(String id) {
        long deadline = System.nanoTime() + patience.toNanos();
        String shown = "";
        while (true) {
            JsonNode refit = calibration.get(PATH + "/refits/" + EldrClient.encode(id));
            String state = refit.path("state").asString("");
            String stage = refit.path("stage").asString("");
            if (!stage.isEmpty() && !stage.equals(shown)) {
                console.log("refit: " + stage);
                shown = stage;
            }
            switch (state) {
                case "SUCCEEDED" -> {
                    return;
                }
                case "REJECTED", "FAILED", "CANCELLED" -> {
                    // Another refit was first: there was nothing left to fit.
                    if (state.equals("REJECTED")
                            && calibration.find(PATH + "/activations/current").isPresent()) {
                        return;
                    }
                    throw new CommandFailedException("The first refit ended as " + state + ": "
                            + refit.path("reason").asString("no reason given"));
                }
                default -> pauseUntil(deadline, "The first refit is not done");
            }
        }
    }

    /** The router follows within moments; what is pasted after "ready" must not meet it before. */
    private void awaitRouter() {
        long deadline = System.nanoTime() + patience.toNanos();
        int active =
                calibration.get(PATH + "/activations/current").path("version").asInt(0);
        while (runningVersion().filter(version -> version == active).isEmpty()) {
            pauseUntil(deadline, "The router does not run artifact version " + active);
        }
        while (!servesDecoders()) {
            pauseUntil(deadline, "The router has seen no decoder of pool " + NAME + " healthy");
        }
    }

    /** Whether a decoder gets traffic already; nobody waits for decoders that are drained or gone. */
    private boolean servesDecoders() {
        List<String> states = router.find(PATH + "/decoders").stream()
                .flatMap(answer -> answer.path("decoders").valueStream())
                .map(decoder -> decoder.path("state").asString(""))
                .toList();
        return states.contains("READY") || !states.contains("PENDING");
    }

    private Optional<Integer> runningVersion() {
        try {
            return router.find(PATH + "/artifact")
                    .map(artifact -> artifact.path("version").asInt(0));
        } catch (ApiException e) {
            // The router serves before it knows its pools.
            return Optional.empty();
        }
    }

    private void pauseUntil(long deadline, String otherwise) {
        if (System.nanoTime() > deadline) {
            throw new CommandFailedException(otherwise + " after " + patience.toSeconds() + " seconds");
        }
        Pauses.sleep(PERIOD);
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
