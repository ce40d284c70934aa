package io.eldr.launcher.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.TraceRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RequestSequenceTest {
    private static final Path TRACES = Path.of("..", "data", "own", "small-moe-28M", "serving");

    @Test
    void theSameSeedSendsTheSameRequestsAtTheSameMoments() throws IOException {
        List<TraceRequest> requests = RoutingTrace.read(TRACES).requests();

        assertThat(arrivals(requests, 7)).isEqualTo(arrivals(requests, 7)).isNotEqualTo(arrivals(requests, 8));
    }

    @Test
    void soManyComeInASecondOfEveryDomain() throws IOException {
        List<TraceRequest> requests = RoutingTrace.read(TRACES).requests();
        List<RequestSequence.Arrival> arrivals = arrivals(requests, 1);

        double seconds = arrivals.getLast().at().toNanos() / 1e9;
        assertThat(arrivals.size() / seconds).isCloseTo(8, within(0.5));
        assertThat(arrivals.stream().map(arrival -> arrival.request().domain()).distinct())
                .hasSize(18);
    }

    @Test
    void aPromptHasTheTokensThatWereRecordedAndNamesItsRequest() throws IOException {
        TraceRequest request = RoutingTrace.read(TRACES).requests().getFirst();

        JsonNode body = JsonMapper.shared().readTree(RequestBody.of("demo", request, 192));

        assertThat(body.path("prompt").asString())
                .hasSize(4 * request.prefillTokens())
                .startsWith("ser-0000 python ");
        assertThat(body.path("model").asString()).isEqualTo("demo");
        assertThat(body.path("max_tokens").asInt()).isEqualTo(192);
        assertThat(body.path("sim").path("request").asString()).isEqualTo("ser-0000");
    }

    private static List<RequestSequence.Arrival> arrivals(List<TraceRequest> requests, long seed) {
        RequestSequence sequence = new RequestSequence(requests, 8, seed);
        return Stream.generate(sequence::next).limit(2_000).toList();
    }
}
