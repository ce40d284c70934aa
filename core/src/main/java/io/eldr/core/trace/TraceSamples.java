package io.eldr.core.trace;

import io.eldr.core.signature.InvalidInputException;
import java.util.List;
import java.util.Optional;

/**
 * The calibration requests of a trace.
 *
 * @param samples in the trace's order, at least one
 * @param skipped how many of the trace's requests were left out because they have too few tokens for a signature
 */
public record TraceSamples(List<RequestSample> samples, int skipped) {
    public TraceSamples {
        samples = List.copyOf(samples);
    }

    /** @throws InvalidInputException naming {@code --signature-from} if no request has the tokens it asks for */
    public static TraceSamples of(RoutingTrace trace, SignatureSource source) {
        List<RequestSample> samples = trace.requests().stream()
                .flatMap(request -> sample(request, source).stream())
                .toList();
        if (samples.isEmpty()) {
            throw new InvalidInputException(
                    SignatureSource.OPTION,
                    switch (source) {
                        case SignatureSource.Prefill _ ->
                            "no request of this trace has prefill tokens; use --signature-from decode:n to let the "
                                    + "first n decode tokens stand in for them";
                        case SignatureSource.Decode(int tokens) ->
                            "no request of this trace has the " + 2L * tokens + " decode tokens that " + source
                                    + " needs; the longest has "
                                    + trace.requests().stream()
                                            .mapToInt(TraceRequest::decodeTokens)
                                            .max()
                                            .orElse(0);
                    });
        }
        return new TraceSamples(samples, trace.requests().size() - samples.size());
    }

    private static Optional<RequestSample> sample(TraceRequest request, SignatureSource source) {
        return switch (source) {
            case SignatureSource.Prefill _ -> fromPrefill(request);
            case SignatureSource.Decode(int tokens) -> fromDecode(request, tokens);
        };
    }

    private static Optional<RequestSample> fromPrefill(TraceRequest request) {
        if (request.prefillTokens() == 0) {
            return Optional.empty();
        }
        return Optional.of(new RequestSample(
                request.id(),
                request.domain(),
                request.prefillTokens(),
                request.prefillCounts(),
                request.decodeCounts(),
                request.decodeTokens()));
    }

    private static Optional<RequestSample> fromDecode(TraceRequest request, int tokens) {
        if (request.decodeTokens() < 2L * tokens) {
            return Optional.empty();
        }
        int begin = request.prefillTokens();
        return request.tokenExperts()
                .map(experts -> new RequestSample(
                        request.id(),
                        request.domain(),
                        tokens,
                        experts.counts(begin, begin + tokens),
                        Optional.of(experts.counts(begin + tokens, experts.tokens())),
                        request.decodeTokens() - tokens));
    }
}
