package io.eldr.launcher.up;

import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.TraceRequest;
import io.eldr.launcher.client.CountsForm;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a person sees when everything runs: addresses, the token, and lines to paste. */
final class Welcome {

    private final Console console;
    private final Addresses addresses;
    private final String token;

    Welcome(Console console, Addresses addresses, String token) {
        this.console = console;
        this.addresses = addresses;
        this.token = token;
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

    /** @param promptTokens of the request in the sample file */
    void print(Path sample, int promptTokens) {
        String bearer = "-H 'Authorization: Bearer " + token + "'";
        console.result("router       " + addresses.router() + "/#token=" + token);
        console.result("calibration  " + addresses.calibration());
        console.result("admin token  " + token);
        console.result("");
        console.result("# Where should this request decode?");
        console.result("curl -s " + bearer + " -H 'Content-Type: application/octet-stream' --data-binary @"
                + quote(sample.toString()) + " \"" + addresses.router() + "/v1/route?pool=" + DemoPool.NAME
                + "&promptTokens=" + promptTokens + "&requestId=try-$(date +%s)-$RANDOM\"");
        console.result("# The decoders and their load");
        console.result("curl -s " + bearer + " " + addresses.router() + "/v1/pools/" + DemoPool.NAME + "/decoders");
        console.result("# Ask a simulated decoder itself");
        console.result("curl -s -H 'Content-Type: application/json' -d '{\"prompt\":\"Hello\",\"max_tokens\":16}' "
                + addresses.decoder(0) + "/v1/completions");
        console.result("# Fit again and activate the next version");
        console.result("curl -s " + bearer + " -H 'Content-Type: application/json' -d '{\"force\":true}' "
                + addresses.calibration() + "/v1/pools/" + DemoPool.NAME + "/refits");
        console.result("");
        console.result("ready");
    }

    /** A shell word that means the text literally. */
    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
