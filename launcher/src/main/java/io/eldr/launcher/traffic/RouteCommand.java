package io.eldr.launcher.traffic;

import io.eldr.core.trace.RequestSample;
import io.eldr.launcher.client.CountsForm;
import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code ./eldr route}: the requests of a trace, one after the other, to a running router. */
@Command(
        name = "route",
        description = "Asks a running router where each request of a trace should decode, and prints one answer a"
                + " line. Each reservation is closed at once unless --keep is given.",
        mixinStandardHelpOptions = true)
public final class RouteCommand implements Callable<Integer> {

    private final Console console;
    private final Path home;

    @Mixin
    private TargetOptions target = new TargetOptions();

    @Mixin
    private TraceOptions source = new TraceOptions();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "2147483647",
            showDefaultValue = Help.Visibility.NEVER,
            description = "how many requests to send (default: all)")
    private int limit = Integer.MAX_VALUE;

    @Option(names = "--keep", description = "leave the reservations open until their lease ends")
    private boolean keep;

    /** @param home the root of the checkout */
    public RouteCommand(Console console, Path home) {
        this.console = console;
        this.home = home;
    }

    @Override
    public Integer call() throws IOException {
        if (limit < 1) {
            throw new UsageException("--limit must be at least 1 but is " + limit);
        }
        EldrClient router = target.client(home);
        for (RequestSample request :
                source.read().samples().samples().stream().limit(limit).toList()) {
            JsonNode answer = route(router, request);
            console.result(answer.toString());
            if (!keep) {
                close(router, answer, request);
            }
        }
        return 0;
    }

    private JsonNode route(EldrClient router, RequestSample request) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("pool", target.pool());
        parameters.put("requestId", request.id());
        parameters.put("promptTokens", Integer.toString(request.signatureTokens()));
        if (!request.label().isEmpty()) {
            parameters.put("label", request.label());
        }
        return router.post(
                "/v1/route?" + EldrClient.query(parameters),
                CountsForm.u16(request.prefill()),
                "application/octet-stream");
    }

    private static void close(EldrClient router, JsonNode answer, RequestSample request) {
        JsonNode reservation = answer.path("reservation").path("id");
        if (!reservation.isString()) {
            return;
        }
        ObjectNode outcome = JsonNodeFactory.instance.objectNode().put("outcome", "completed");
        if (request.decodeTokens() > 0) {
            outcome.put("decodeTokens", request.decodeTokens());
        }
        router.post("/v1/reservations/" + EldrClient.encode(reservation.asString()) + "/close", outcome);
    }
}
