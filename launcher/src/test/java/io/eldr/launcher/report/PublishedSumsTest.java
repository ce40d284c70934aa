package io.eldr.launcher.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.simulator.report.ExpertSums;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedSumsTest {
    @TempDir
    Path folder;

    @Test
    void kindsOfTextAreAddedUp() throws IOException {
        olmoe("{'note':'n','models':{'a':{'experts':2,'domains':{'x':[[1,2],[3,4]],'y':[[10,0],[0,5000000000]]}},"
                + "'b':{'experts':3,'domains':{'x':[[1,2,3]]}}}}");

        List<ExpertSums> found = PublishedSums.OLMOE.read(folder);

        assertThat(found)
                .containsExactly(
                        new ExpertSums("a", "sums over x, y", List.of(List.of(11L, 2L), List.of(3L, 5_000_000_004L))),
                        new ExpertSums("b", "sums over x", List.of(List.of(1L, 2L, 3L))));
    }

    @Test
    void theOtherPublicationHasOneModelInAZippedFile() throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("counts.json.gz")))) {
            out.write("{\"experts\":2,\"topK\":1,\"counts\":{\"de\":[[1,2]],\"en\":[[3,4]]}}"
                    .getBytes(StandardCharsets.UTF_8));
        }
        assertThat(PublishedSums.QWEN3.read(folder))
                .containsExactly(new ExpertSums("qwen3-30b-a3b-mgsm", "sums over de, en", List.of(List.of(4L, 6L))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'x':[[1,2],[3]]}        | models.a.domains.x[1] has 1 counts instead of 2",
                "{'x':[[1,2]],'y':[[1,2],[3,4]]} | models.a.domains.y has 2 layers instead of 1",
                "{'x':[[1,-2]]}           | models.a.domains.x[0][1] must be a count but is -2",
                "{'x':[[1,2.5]]}          | models.a.domains.x[0][1] must be a count but is 2.5",
                "{'x':[[0,0]]}            | models.a.domains.x[0] counts nothing",
                "{}                       | models.a.domains has no counts",
                "{'x':[]}                 | models.a.domains has no counts",
            })
    void whatIsNoTableOfCountsIsRefusedByItsPlace(String domains, String message) throws IOException {
        olmoe("{'models':{'a':{'experts':2,'domains':" + domains + "}}}");
        refused("expert_counts.json: " + message);
    }

    @Test
    void whatIsMissingOrDamagedIsRefused() throws IOException {
        refused("expert_counts.json: is missing in " + folder);
        olmoe("{'models':{}}");
        refused("expert_counts.json: has no model");
        olmoe("{'models':");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> PublishedSums.OLMOE.read(folder))
                .withMessageStartingWith("expert_counts.json: is not intact JSON");
    }

    private void olmoe(String json) throws IOException {
        Files.writeString(folder.resolve("expert_counts.json"), json.replace('\'', '"'));
    }

    private void refused(String message) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> PublishedSums.OLMOE.read(folder))
                .withMessage(message);
    }
}
