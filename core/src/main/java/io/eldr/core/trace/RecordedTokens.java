package io.eldr.core.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The decode tokens that a trace recorded, spread evenly over each request's answer. */
final class RecordedTokens implements DecodeTokens {
    private final Map<String, Answer> answers;

    private RecordedTokens(Map<String, Answer> answers) {
        this.answers = answers;
    }

    /** The recorded tokens from {@code begin} on, at least one. */
    private record Answer(TokenExperts experts, int begin) {}

    static RecordedTokens of(RoutingTrace trace, SignatureSource source) {
        Map<String, Answer> answers = new HashMap<>();
        for (TraceRequest request : trace.requests()) {
            int begin = request.prefillTokens()
                    + switch (source) {
                        case SignatureSource.Prefill _ -> 0;
                        case SignatureSource.Decode(int tokens) -> tokens;
                    };
            request.tokenExperts()
                    .filter(experts -> experts.tokens() > begin)
                    .ifPresent(experts -> answers.put(request.id(), new Answer(experts, begin)));
        }
        return new RecordedTokens(answers);
    }

    @Override
    public TokenOrigin origin() {
        return TokenOrigin.RECORDED;
    }

    @Override
    public Optional<ExpertSets> of(RequestSample sample, int count, long seed) {
        Answer answer = answers.get(sample.id());
        if (answer == null) {
            return Optional.empty();
        }
        RandomGenerator random = new SplittableRandom(seed);
        TokenExperts experts = answer.experts();
        int layers = experts.geometry().layers();
        int wordsOfLayer = ExpertSets.wordsOfLayer(experts.geometry());
        int known = experts.tokens() - answer.begin();
        long[][] sets = new long[Math.min(count, known)][layers * wordsOfLayer];
        for (int i = 0; i < sets.length; i++) {
            int from = (int) ((long) i * known / sets.length);
            int to = (int) ((i + 1L) * known / sets.length);
            int token = answer.begin() + from + random.nextInt(to - from);
            for (int layer = 0; layer < layers; layer++) {
                experts.addTo(token, layer, sets[i], layer * wordsOfLayer);
            }
        }
        return Optional.of(new ExpertSets(sets));
    }
}
