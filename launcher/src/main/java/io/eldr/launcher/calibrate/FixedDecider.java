package io.eldr.launcher.calibrate;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadView;
import io.eldr.core.routing.ActiveArtifact;
import io.eldr.core.routing.Band;
import io.eldr.core.routing.BandRule;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.Decoder;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.routing.RoutingPolicy;
import io.eldr.core.trace.RequestSample;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The router's own policy on an artifact with one decoder for each cluster, in the clusters' order, and fixed loads. */
final class FixedDecider {
    private final PoolSnapshot snapshot;
    private final LoadView loads;
    private final RoutingPolicy policy = PolicyName.ELDR.create();
    private final JsonMapper mapper = JsonMapper.shared();

    FixedDecider(RoutingArtifact artifact, BandRule band, int[] loads) {
        List<Decoder> decoders = artifact.slots().stream()
                .map(slot -> Decoder.of(new Incarnation(slot, "fixed"), ""))
                .toList();
        this.snapshot = PoolSnapshot.of(
                artifact.model().name(),
                1,
                Optional.of(ActiveArtifact.of(1, artifact, artifact.slots())),
                decoders,
                band,
                false);
        this.loads = LoadView.fixed(loads);
    }

    /** The decision as a JSON object. */
    String decide(RequestSample request, RandomGenerator random) {
        Decision decision = policy.decide(DecisionRequest.of(request.prefill()), snapshot, loads, random);
        if (!(decision instanceof Decision.Chosen chosen)) {
            throw new IllegalStateException("a decoder without limit took no request: " + decision);
        }
        ObjectNode json = mapper.createObjectNode();
        json.put("id", request.id());
        ArrayNode similarities = json.putArray("similarities");
        for (double similarity : chosen.evaluation().similarities()) {
            similarities.add(similarity);
        }
        ArrayNode band = json.putArray("band");
        IntStream members = chosen.band().isPresent()
                ? chosen.band().get().members().stream().mapToInt(Band.Member::index)
                : IntStream.range(0, snapshot.decoders().size());
        members.forEach(band::add);
        json.put("decoder", chosen.index());
        json.put("policy", chosen.band().isPresent() ? chosen.policy().id() : PolicyName.JSQ.id());
        return json.toString();
    }
}
