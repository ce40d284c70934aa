package io.eldr.launcher.traffic;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.GatingSums;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.core.trace.TraceSamples;
import io.eldr.launcher.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that say which recorded requests a command works on. */
public final class TraceOptions {

    @Option(
            names = "--traces",
            required = true,
            paramLabel = "DIR",
            description = "folder of a routing trace (meta.json, index.jsonl, experts.u8.gz or counts.u16le.gz)")
    private Path traces = Path.of("");

    @Option(
            names = "--signature-from",
            paramLabel = "prefill|decode:N",
            defaultValue = "prefill",
            description = "which tokens make a request's signature: those of the prompt, or the first N decoded ones"
                    + " (default: ${DEFAULT-VALUE})")
    private String signatureFrom = "prefill";

    /** A trace and the requests taken from it. */
    public record Requests(RoutingTrace trace, TraceSamples samples, SignatureSource source) {
        /** The recorded tokens that these requests decoded. */
        public DecodeTokens decodeTokens() {
            return DecodeTokens.recorded(trace, source);
        }
    }

    public Requests read() throws IOException {
        SignatureSource source = source();
        RoutingTrace trace = RoutingTrace.read(traces);
        return new Requests(trace, TraceSamples.of(trace, source), source);
    }

    /** The gating sums that lie beside the trace; none where other tokens than the prompt's make signatures. */
    public List<GatingSums> gatingSums(Requests requests) throws IOException {
        return requests.source() instanceof SignatureSource.Prefill
                ? GatingSums.read(traces, requests.trace())
                : List.of();
    }

    private SignatureSource source() {
        try {
            return SignatureSource.parse(signatureFrom);
        } catch (InvalidInputException e) {
            throw new UsageException(e.field() + " " + e.reason());
        }
    }
}
