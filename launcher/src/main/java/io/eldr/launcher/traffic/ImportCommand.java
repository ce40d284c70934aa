package io.eldr.launcher.traffic;

import io.eldr.launcher.client.SampleUpload;
import io.eldr.launcher.console.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code ./eldr import}: a trace becomes samples of a pool. */
@Command(
        name = "import",
        description = "Sends a trace to the calibration service as samples and prints a summary. Requests that are"
                + " there already are counted as duplicates.",
        mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {

    private final Console console;
    private final Path home;

    @Mixin
    private TargetOptions target = new TargetOptions();

    @Mixin
    private TraceOptions source = new TraceOptions();

    /** @param home the root of the checkout */
    public ImportCommand(Console console, Path home) {
        this.console = console;
        this.home = home;
    }

    @Override
    public Integer call() throws IOException {
        SampleUpload upload = new SampleUpload(target.client(home), target.pool());
        TraceOptions.Requests requests = source.read();
        long begin = System.nanoTime();
        SampleUpload.Result result = upload.send(requests.samples().samples());
        ObjectNode summary = JsonNodeFactory.instance
                .objectNode()
                .put("pool", target.pool())
                .put("model", requests.trace().model())
                .put("requests", requests.samples().samples().size())
                .put("skipped", requests.samples().skipped())
                .put("accepted", result.accepted())
                .put("duplicates", result.duplicates())
                .put("batches", result.batches())
                .put("seconds", Duration.ofNanos(System.nanoTime() - begin).toMillis() / 1e3);
        console.result(summary.toString());
        return 0;
    }
}
