package io.eldr.engine.recording;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.TokenExperts;
import io.eldr.core.trace.TraceRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The recorded requests that simulated ones are taken from: by name, or by a hash of the prompt. */
public final class Recordings {
    private final String model;
    private final Geometry geometry;
    private final List<RecordedRequest> requests;
    private final Map<String, RecordedRequest> byId;

    Recordings(String model, Geometry geometry, List<RecordedRequest> requests) {
        this.model = model;
        this.geometry = geometry;
        this.requests = List.copyOf(requests);
        this.byId = this.requests.stream().collect(Collectors.toMap(RecordedRequest::id, Function.identity()));
    }

    /**
     * The requests of a trace that have decoded tokens. Where no prompts are recorded, the first half of the decoded tokens
     * stands in for them.
     *
     * @throws InvalidInputException if no request has two tokens whose experts are recorded one by one
     */
    public static Recordings of(RoutingTrace trace) {
        List<RecordedRequest> requests = trace.requests().stream()
                .flatMap(request -> recorded(trace.geometry(), request).stream())
                .toList();
        if (requests.isEmpty()) {
            throw new InvalidInputException(
                    "--traces",
                    "no request of this trace tells the experts of its decoded tokens; workers need a trace of format"
                            + " moe-routing-u8-v1 with decoded tokens");
        }
        return new Recordings(trace.model(), trace.geometry(), requests);
    }

    private static Optional<RecordedRequest> recorded(Geometry geometry, TraceRequest request) {
        Optional<TokenExperts> experts = request.tokenExperts();
        if (experts.isEmpty() || request.decodeTokens() == 0 || experts.get().tokens() < 2) {
            return Optional.empty();
        }
        int prompt = request.prefillTokens() > 0 ? request.prefillTokens() : request.decodeTokens() / 2;
        return Optional.of(new RecordedRequest(
                request.id(), geometry, prompt, experts.get().tokens() - prompt, experts.get()::expertAt));
    }

    /** The model's name as the recording gives it. */
    public String model() {
        return model;
    }

    public Geometry geometry() {
        return geometry;
    }

    public List<RecordedRequest> requests() {
        return requests;
    }

    public Optional<RecordedRequest> named(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** The same request for the same hash. */
    public RecordedRequest of(long hash) {
        return requests.get((int) Long.remainderUnsigned(hash, requests.size()));
    }
}
