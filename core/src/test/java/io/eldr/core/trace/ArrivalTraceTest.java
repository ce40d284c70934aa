package io.eldr.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivalTraceTest {
    private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

    @TempDir
    private static Path folder = Path.of("");

    private static Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void readsAzuresTrace() throws IOException {
        ArrivalTrace trace = ArrivalTrace.read(file(
                "azure.csv",
                HEADER + "2023-11-16 23:59:59.9799600,4808,10\n2023-11-17 00:00:01.4799600,3180,8\n"
                        + "2023-11-17 00:00:02.9799600,110,27\n"));

        assertThat(trace.size()).isEqualTo(3);
        assertThat(trace.seconds(0)).isZero();
        assertThat(trace.seconds(1)).isCloseTo(1.5, within(1e-6));
        assertThat(trace.promptTokens(1)).isEqualTo(3_180);
        assertThat(trace.outputTokens(2)).isEqualTo(27);
        assertThat(trace.periodSeconds()).isCloseTo(4.5, within(1e-6));
        assertThat(trace.rate()).isCloseTo(3 / 4.5, within(1e-6));
        assertThat(trace.meanOutputTokens()).isEqualTo(15);
        assertThat(trace.hasBlocks()).isFalse();
        assertThat(trace.blocks(0)).isEmpty();
    }

    @Test
    void readsMooncakesTraceZippedAndInOrderOfTime() throws IOException {
        Path file = folder.resolve("mooncake.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("""
                    {"timestamp": 3000, "input_length": 900, "output_length": 2, "hash_ids": [0, 7]}
                    {"timestamp": 1000, "input_length": 100, "output_length": 3, "hash_ids": [4]}
                    """.getBytes(StandardCharsets.UTF_8));
        }
        ArrivalTrace trace = ArrivalTrace.read(file);

        assertThat(trace.seconds(1)).isEqualTo(2);
        assertThat(trace.promptTokens(0)).isEqualTo(100);
        assertThat(trace.blocks(1)).containsExactly(0, 7);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "2023-11-16 10:00:00,1 | line 2: must have 3 columns but has 2",
                "16.11.2023,1,1 | line 2: TIMESTAMP '16.11.2023' is no time",
                "2023-11-16 10:00:00,x,1 | line 2: ContextTokens must be a whole number but is 'x'",
                "2023-11-16 10:00:00,1,0 | line 2: GeneratedTokens must be between 1 and 10000000 but is 0",
                "2023-11-16 10:00:00,1,1 | must have at least 2 requests but has 1",
            })
    void aBadLineIsNamed(String line, String reason) throws IOException {
        Path file = file("bad.csv", HEADER + line + "\n");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> ArrivalTrace.read(file))
                .withMessageContaining("bad.csv: " + reason);
    }

    @Test
    void badJsonIsNamed() throws IOException {
        Path list =
                file("list.jsonl", "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[1,-2]}\n");
        Path length = file("length.jsonl", "{\"timestamp\":0,\"input_length\":0,\"output_length\":1}\n");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> ArrivalTrace.read(list))
                .withMessageContaining("line 1: hash_ids must be a list of integers");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> ArrivalTrace.read(length))
                .withMessageContaining("line 1: input_length must be between 1 and");
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        Path other = file("other.csv", "a,b,c\n");
        Path cut = folder.resolve("cut.csv.gz");
        byte[] whole = gzip(HEADER + "2023-11-16 10:00:00,1,1\n".repeat(50));
        Files.write(cut, Arrays.copyOf(whole, whole.length - 12));

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> ArrivalTrace.read(other))
                .withMessageContaining("other.csv: is no arrival trace");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> ArrivalTrace.read(folder.resolve("none.csv")))
                .withMessageContaining("none.csv: there is no file");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> ArrivalTrace.read(cut))
                .withMessageContaining("cut.csv.gz: is not intact gzip");
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
