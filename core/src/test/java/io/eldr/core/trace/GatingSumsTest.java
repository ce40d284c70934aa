package io.eldr.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatingSumsTest {
    private static final String PROBABILITIES = "gate_prob_sums.f16le.gz";
    private static final String LOGITS = "gate_logit_sums.f16le.gz";

    @TempDir
    Path directory;

    private TraceFolder folder;

    /** Requests a and b of 2 x 3. */
    @BeforeEach
    void writeATrace() throws IOException {
        folder = TraceFolder.promptCounts(directory);
    }

    @Test
    void mostTracesHaveNone() throws IOException {
        assertThat(read()).isEmpty();
    }

    @Test
    void eachRequestHasItsOwnSumsInTheOrderOfTheIndex() throws IOException {
        folder.gating(PROBABILITIES, 1.5, 1, 0.5, 0, 2, 1, 0.25, 0.25, 0.5, 1, 0, 0)
                .gating(LOGITS, -3, 2, 1, 0, 0.5, -65504, 1, 2, 3, 4, 5, 6);

        List<GatingSums> sums = read();

        assertThat(sums).extracting(GatingSums::value).containsExactly(GatingValue.PROBABILITY, GatingValue.LOGIT);
        assertThat(sums.getFirst().of("a")).containsExactly(1.5f, 1, 0.5f, 0, 2, 1);
        assertThat(sums.getFirst().of("b")).containsExactly(0.25f, 0.25f, 0.5f, 1, 0, 0);
        assertThat(sums.getLast().of("a")).containsExactly(-3, 2, 1, 0, 0.5f, -65504);
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> sums.getLast().of("c"))
                .withMessage("gate_logit_sums.f16le.gz: has no request c");
    }

    @Test
    void aFileOfAnotherLengthIsRefused() throws IOException {
        folder.gating(LOGITS, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        refused("gate_logit_sums.f16le.gz: holds only 18 bytes, but request b ends at byte 24");

        folder.gating(LOGITS, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
        refused("gate_logit_sums.f16le.gz: goes on behind the 24 bytes that index.jsonl describes");
    }

    @Test
    void aDamagedFileIsRefused() throws IOException {
        folder.gating(LOGITS, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12).flip(LOGITS, 6);
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(this::read)
                .withMessageStartingWith("gate_logit_sums.f16le.gz: is not intact gzip");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNoNumberIsRefusedByItsRequest(double sum) throws IOException {
        folder.gating(LOGITS, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, sum, 12);
        refused("gate_logit_sums.f16le.gz: request b, layer 1, expert 1: the sum is " + (float) sum);
    }

    @Test
    void probabilitiesAreNotNegative() throws IOException {
        folder.gating(PROBABILITIES, 1, 2, 3, -0.5, 5, 6, 7, 8, 9, 10, 11, 12);
        refused("gate_prob_sums.f16le.gz: request a, layer 1, expert 0: the sum is -0.5");
    }

    private List<GatingSums> read() throws IOException {
        return GatingSums.read(directory, RoutingTrace.read(directory));
    }

    private void refused(String message) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(this::read)
                .withMessage(message);
    }
}
