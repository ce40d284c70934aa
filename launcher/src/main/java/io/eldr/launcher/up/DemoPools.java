package io.eldr.launcher.up;

import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.core.trace.TraceSamples;
import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.client.SampleUpload;
import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The pools of the demo: the same model, the same number of workers, the same artifact, and another policy. Whatever is there
 * already stays as it is, so that they can be made again at every start.
 */
final class DemoPools {

    private static final Set<String> OPEN_STATES = Set.of("QUEUED", "RUNNING");

    private final PoolRegistry registry;
    private final EldrClient calibration;

    DemoPools(PoolRegistry registry) {
        this.registry = registry;
        this.calibration = registry.calibration();
    }

    /**
     * Makes what is missing and waits until the router routes by the active artifacts.
     *
     * @param traces the folder of the calibration trace
     */
    void makeReady(Path traces, Addresses addresses) throws IOException {
        RoutingTrace trace = RoutingTrace.read(traces);
        declare(trace, 0, "eldr", addresses);
        declare(trace, 1, "jsq", addresses);
        if (registry.activeVersion(DemoCluster.BY_LOCALITY).isEmpty()) {
            sendSamples(trace);
            awaitRefit(openRefit().orElseGet(this::startRefit));
        }
        if (registry.activeVersion(DemoCluster.BY_LOAD).isEmpty()) {
            copyArtifact();
        }
        DemoCluster.POOLS.forEach(registry::awaitRouter);
    }

    private void declare(RoutingTrace trace, int index, String policy, Addresses addresses) {
        String name = DemoCluster.POOLS.get(index);
        List<PoolDeclaration.Worker> workers = DemoCluster.workers(index, addresses);
        registry.create(new PoolDeclaration(name, trace.model(), trace.geometry(), List.of(name), policy, workers));
        List<JsonNode> present = registry.workers(name);
        for (PoolDeclaration.Worker worker : workers) {
            boolean roleIsNew = present.stream()
                    .noneMatch(known -> known.path("role").asString("").equals(worker.role()));
            Optional<JsonNode> known = present.stream()
                    .filter(candidate -> candidate.path("slot").asString("").equals(worker.slot()))
                    .findFirst();
            if (roleIsNew
                    || known.filter(slot -> movesWithThePorts(slot, worker)).isPresent()) {
                registry.declare(name, worker, known);
            }
        }
    }

    /** The demo's own workers follow the ports; what was removed or points elsewhere by now stays as it is. */
    private static boolean movesWithThePorts(JsonNode present, PoolDeclaration.Worker worker) {
        String url = present.path("url").asString("");
        return url.startsWith("http://127.0.0.1:") && !url.equals(worker.url().toString());
    }

    private void sendSamples(RoutingTrace trace) {
        TraceSamples samples = TraceSamples.of(trace, new SignatureSource.Prefill());
        registry.console().log("sending " + samples.samples().size() + " samples");
        new SampleUpload(calibration, DemoCluster.BY_LOCALITY).send(samples.samples());
    }

    /** The twin has the same artifact, so that any policy can be given to it. */
    private void copyArtifact() {
        OptionalInt version = registry.activeVersion(DemoCluster.BY_LOCALITY);
        byte[] artifact = calibration.bytes(
                PoolRegistry.path(DemoCluster.BY_LOCALITY) + "/artifacts/" + version.orElseThrow() + "/binary");
        String twin = PoolRegistry.path(DemoCluster.BY_LOAD);
        JsonNode published = calibration.post(twin + "/artifacts", artifact, "application/octet-stream");
        calibration.post(
                twin + "/activations",
                PoolRegistry.object()
                        .put("version", published.path("version").asInt(0))
                        .put("reason", "the artifact of pool " + DemoCluster.BY_LOCALITY));
    }

    /** A refit that an earlier start began and did not wait for; it goes on by itself. */
    private Optional<String> openRefit() {
        return calibration
                .get(refits())
                .valueStream()
                .filter(refit -> OPEN_STATES.contains(refit.path("state").asString("")))
                .map(refit -> refit.path("id").asString(""))
                .filter(id -> !id.isEmpty())
                .findFirst();
    }

    private String startRefit() {
        registry.console().log("fitting the first artifact");
        JsonNode refit = calibration.post(refits(), PoolRegistry.object());
        String id = refit.path("id").asString("");
        if (id.isEmpty()) {
            throw new CommandFailedException("The calibration service does not name the refit it started: " + refit);
        }
        return id;
    }

    private void awaitRefit(String id) {
        long deadline = registry.deadline();
        String shown = "";
        while (true) {
            JsonNode refit = calibration.get(refits() + "/" + EldrClient.encode(id));
            String state = refit.path("state").asString("");
            String stage = refit.path("stage").asString("");
            if (!stage.isEmpty() && !stage.equals(shown)) {
                registry.console().log("refit: " + stage);
                shown = stage;
            }
            switch (state) {
                case "SUCCEEDED" -> {
                    return;
                }
                case "REJECTED", "FAILED", "CANCELLED" -> {
                    // Another refit was first: there was nothing left to fit.
                    if (state.equals("REJECTED")
                            && registry.activeVersion(DemoCluster.BY_LOCALITY).isPresent()) {
                        return;
                    }
                    throw new CommandFailedException("The first refit ended as " + state + ": "
                            + refit.path("reason").asString("no reason given"));
                }
                default -> registry.pauseUntil(deadline, "The first refit is not done");
            }
        }
    }

    private static String refits() {
        return PoolRegistry.path(DemoCluster.BY_LOCALITY) + "/refits";
    }
}
