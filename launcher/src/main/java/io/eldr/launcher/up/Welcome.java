package io.eldr.launcher.up;

import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.TraceRequest;
import io.eldr.launcher.client.CountsForm;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a person sees when everything runs: addresses, the token, and lines to paste. */
final class Welcome {

    private static final String JSON = "-H 'Content-Type: application/json'";

    private final Console console;
    private final Addresses addresses;
    private final String token;
    private final Dashboard dashboard;

    Welcome(Console console, Addresses addresses, String token, Dashboard dashboard) {
        this.console = console;
        this.addresses = addresses;
        this.token = token;
        this.dashboard = dashboard;
    }

    /**
     * Writes the raw counts of a real request, which the first line to paste sends.
     *
     * @param traces a trace that the artifact was not fitted on
     * @return how many tokens its prompt has
     */
    static int writeSample(Path traces, Path file) throws IOException {
        RoutingTrace trace = RoutingTrace.read(traces);
        TraceRequest request = trace.requests().stream()
                .filter(candidate -> candidate.prefillTokens() > 0)
                .findFirst()
                .orElseThrow(() -> new CommandFailedException("No request in " + traces + " has a prompt"));
        Files.write(file, CountsForm.u16(request.prefillCounts()));
        return request.prefillTokens();
    }

    /**
     * For the demo.
     *
     * @param promptTokens of the request in the sample file
     */
    void printDemo(Path sample, int promptTokens) {
        printAddresses();
        paste("Ask a model: prefill, decision and decode, streamed", chat(DemoCluster.BY_LOCALITY));
        paste(
                "Where should this request decode?",
                "curl -s " + bearer() + " -H 'Content-Type: application/octet-stream' --data-binary @"
                        + quote(sample.toString()) + " \"" + addresses.router() + "/v1/route?pool="
                        + DemoCluster.BY_LOCALITY + "&promptTokens=" + promptTokens
                        + "&requestId=try-$(date +%s)-$RANDOM\"");
        paste("The decoders and their load", get(addresses.router(), "/v1/pools/demo/decoders"));
        paste(
                "What the traffic measured in each pool",
                get(addresses.router(), "/v1/pools/demo/clients") + " && "
                        + get(addresses.router(), "/v1/pools/demo-jsq/clients"));
        paste(
                "Give the twin pool the same policy and watch the difference go",
                "curl -s -X PATCH " + bearer() + " " + JSON + " -d '{\"policy\":\"eldr\"}' " + addresses.calibration()
                        + "/v1/pools/" + DemoCluster.BY_LOAD);
        paste("Fit again and activate the next version", refit(DemoCluster.BY_LOCALITY));
        ready();
    }

    /** For engines that ran before. */
    void printEngines(PoolDeclaration pool) {
        printAddresses();
        paste("Ask the model through the gateway", chat(pool.model()));
        paste("The decoders and their load", get(addresses.router(), PoolRegistry.path(pool.name()) + "/decoders"));
        paste(
                "Once there are samples (docs/calibration.md), fit an artifact; until then load alone decides",
                refit(pool.name()));
        ready();
    }

    /** For no workers at all. */
    void printEmpty() {
        printAddresses();
        paste(
                "Make a pool",
                "curl -s " + bearer() + " " + JSON
                        + " -d '{\"name\":\"main\",\"model\":\"Qwen/Qwen3-30B-A3B\",\"layers\":48,\"experts\":128,\"topK\":8}'"
                        + " "
                        + addresses.calibration() + "/v1/pools");
        paste(
                "Register a decode worker; role prefill likewise",
                "curl -s -X PUT " + bearer() + " " + JSON
                        + " -d '{\"role\":\"decode\",\"url\":\"http://10.0.0.7:8000\",\"probe\":\"http\"}' "
                        + addresses.calibration() + "/v1/pools/main/workers/decoder-0");
        ready();
    }

    private void printAddresses() {
        console.result("dashboard    " + addresses.dashboard() + "/");
        console.result("log in as    " + Dashboard.ADMIN + ", password " + dashboard.passwordOf(Dashboard.ADMIN));
        console.result("router       " + addresses.router() + "/#token=" + token);
        console.result("calibration  " + addresses.calibration());
        console.result("admin token  " + token);
        console.result("");
    }

    private void paste(String what, String line) {
        console.result("# " + what);
        console.result(line);
    }

    private void ready() {
        console.result("");
        console.result("ready");
    }

    private String chat(String model) {
        String body = JsonNodeFactory.instance
                .objectNode()
                .put("model", model)
                .put("max_tokens", 16)
                .put("stream", true)
                .set("messages", messages("Hello"))
                .toString();
        return "curl -sN " + JSON + " -d " + quote(body) + " " + addresses.router() + "/v1/chat/completions";
    }

    private static ArrayNode messages(String content) {
        ArrayNode messages = JsonNodeFactory.instance.arrayNode();
        messages.addObject().put("role", "user").put("content", content);
        return messages;
    }

    private String refit(String pool) {
        return "curl -s " + bearer() + " " + JSON + " -d '{\"force\":true}' " + addresses.calibration()
                + PoolRegistry.path(pool) + "/refits";
    }

    private String get(URI service, String path) {
        return "curl -s " + bearer() + " " + service + path;
    }

    private String bearer() {
        return "-H 'Authorization: Bearer " + token + "'";
    }

    /** A shell word that means the text literally. */
    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
