package io.eldr.simulator.report;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.GatingSums;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.core.trace.TraceSamples;
import java.util.List;
import java.util.OptionalInt;

/**
 * A trace as the report uses it.
 *
 * @param name in the report
 * @param gating what is known of the gating network's values; mostly nothing
 * @param caveat what must be known before its figures are trusted; may be blank
 */
public record TraceSet(
        String name,
        RoutingTrace trace,
        SignatureSource source,
        List<RequestSample> samples,
        List<GatingSums> gating,
        String caveat) {
    private static final int MANY = 400;
    private static final int ASSUMED_PROMPT_TOKENS = 512;

    public TraceSet {
        samples = List.copyOf(samples);
        gating = List.copyOf(gating);
    }

    /** @throws io.eldr.core.signature.InvalidInputException where the source finds no request */
    public static TraceSet of(
            String name, RoutingTrace trace, SignatureSource source, List<GatingSums> gating, String caveat) {
        return new TraceSet(name, trace, source, TraceSamples.of(trace, source).samples(), gating, caveat);
    }

    /** Whether it is known what its requests decoded. */
    public boolean decodes() {
        return samples.stream().anyMatch(sample -> sample.decode().isPresent());
    }

    ModelIdentity model() {
        return new ModelIdentity(trace.model(), "", trace.geometry());
    }

    DecodeTokens tokens() {
        return DecodeTokens.recorded(trace, source);
    }

    /** As many as its requests can be clustered for: half of them are fitted. */
    int decoders() {
        return samples.size() >= MANY ? 16 : 8;
    }

    /** Where no prompts are recorded their length is assumed. */
    OptionalInt promptTokens() {
        return source instanceof SignatureSource.Prefill ? OptionalInt.empty() : OptionalInt.of(ASSUMED_PROMPT_TOKENS);
    }
}
