package io.eldr.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SampleBatchTest {
    private static final Geometry GEOMETRY = new Geometry(2, 4, 2);
    /** The first sample begins behind the head. */
    private static final int FIRST = 16;

    @Test
    void theBytesAreThoseOfTheDocumentedLayout() {
        RequestSample sample =
                new RequestSample("r\u00e9", "law", 3, counts(3, 3), Optional.of(counts(70_000, 70_000)), 70_000);
        assertThat(HexFormat.of().formatHex(SampleBatchForm.write(List.of(sample))))
                .isEqualTo("454c4453" + "0100" + "0200" + "0400" + "0000" + "01000000"
                        + "46000000" + "02" + "04" + "0300" + "0300" + "0000" + "03000000" + "70110100"
                        + "72c3a9" + "6c6177"
                        + "0300030000000000".repeat(2)
                        + "70110100701101000000000000000000".repeat(2));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void readsBackWhatWasWritten(long seed) throws IOException {
        RandomGenerator random = new SplittableRandom(seed);
        List<RequestSample> samples = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int tokens = 1 + random.nextInt(random.nextBoolean() ? 50 : 200_000);
            boolean decoded = random.nextBoolean();
            int decodeTokens = decoded ? 1 + random.nextInt(100_000) : 0;
            samples.add(new RequestSample(
                    "request-" + i + "-\u6f22",
                    random.nextBoolean() ? "label \u00fc" : "",
                    tokens,
                    counts(tokens, random.nextInt(tokens + 1)),
                    decoded ? Optional.of(counts(decodeTokens, random.nextInt(decodeTokens + 1))) : Optional.empty(),
                    decodeTokens));
        }
        assertThat(read(SampleBatchForm.write(samples))).isEqualTo(samples);
    }

    @Test
    void takesABatchOfNoSamples() throws IOException {
        byte[] head = Arrays.copyOf(SampleBatchForm.write(List.of(plain("a"))), FIRST);
        head[12] = 0;
        assertThat(read(head)).isEmpty();
    }

    @Test
    void anyCutIsRefused() {
        byte[] whole = SampleBatchForm.write(List.of(plain("a"), plain("b")));
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(InvalidInputException.class)
                    .as("%d of %d bytes", length, whole.length)
                    .isThrownBy(() -> read(cut))
                    .withMessageContaining("ends in the middle");
        }
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                Arguments.of("another magic", 0, 'X', "head", "magic"),
                Arguments.of("a later version", 4, 2, "head", "version"),
                Arguments.of("other layers", 6, 3, "head", "layers"),
                Arguments.of("other experts", 8, 5, "head", "experts"),
                Arguments.of("reserved bytes of the head", 10, 1, "head", "reserved"),
                Arguments.of("a sample too few announced", 12, 1, "end", ""),
                Arguments.of("a sample too many announced", 12, 3, "sample 3", ""),
                Arguments.of("a wrong length", FIRST, 1, "sample 1", "bytes"),
                Arguments.of("a huge length", FIRST + 3, 0xFF, "sample 1", "bytes"),
                Arguments.of("no prefill", FIRST + 4, 0, "sample 1", "prefill"),
                Arguments.of("prefill cells of 3 bytes", FIRST + 4, 3, "sample 1", "prefill"),
                Arguments.of("decode cells of 255 bytes", FIRST + 5, 0xFF, "sample 1", "decode"),
                Arguments.of("a longer id", FIRST + 6, 9, "sample 1", "bytes"),
                Arguments.of("a label", FIRST + 8, 9, "sample 1", "bytes"),
                Arguments.of("reserved bytes of a sample", FIRST + 10, 1, "sample 1", "reserved"),
                Arguments.of("no prompt tokens", FIRST + 12, 0, "sample 1", "promptTokens"),
                Arguments.of("2 billion prompt tokens more", FIRST + 15, 0x80, "sample 1", "promptTokens"),
                Arguments.of("decode tokens without decode", FIRST + 16, 3, "sample 1", "decode"),
                Arguments.of("an id that is not UTF-8", FIRST + 20, 0xFF, "sample 1", "requestId"),
                Arguments.of("a row that does not sum up", FIRST + 22, 1, "sample 1", "prefill"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void refusesADamagedBatchNamingPlaceAndField(String what, int position, int value, String place, String field) {
        byte[] bytes = SampleBatchForm.write(List.of(plain("id"), plain("b")));
        bytes[position] = (byte) value;
        SampleBatchReader reader = new SampleBatchReader(new ByteArrayInputStream(bytes), GEOMETRY);
        InvalidInputException refusal = catchThrowableOfType(InvalidInputException.class, () -> readAll(reader));
        assertThat(refusal.field()).as(refusal.getMessage()).isEqualTo(field);
        assertThat(reader.place()).isEqualTo(place);
    }

    @Test
    void saysWhereCountsOfLongPromptsBelong() {
        RequestSample sample = new RequestSample("long", "", 70_000, counts(70_000, 1), Optional.empty(), 0);
        byte[] wide = SampleBatchForm.write(List.of(sample));
        byte[] narrow = Arrays.copyOf(wide, FIRST + 20 + 4 + 2 * GEOMETRY.cells());
        narrow[FIRST] = (byte) (narrow.length - FIRST - 4);
        narrow[FIRST + 4] = 2;
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> read(narrow))
                .withMessageContaining("counts above 65,535 take cells of 4 bytes");
    }

    @Test
    void writesNoBatchOfTwoShapes() {
        RequestSample other = new RequestSample("b", "", 1, ExpertCounts.zero(3, 4), Optional.empty(), 0);
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> SampleBatchForm.write(List.of(plain("a"), other)))
                .withMessageContaining("prefill: has shape [3, 4] in a batch of [2, 4]");
    }

    private static RequestSample plain(String id) {
        return new RequestSample(id, "", 3, counts(3, 2), Optional.empty(), 0);
    }

    private static List<RequestSample> read(byte[] bytes) throws IOException {
        return readAll(new SampleBatchReader(new ByteArrayInputStream(bytes), GEOMETRY));
    }

    private static List<RequestSample> readAll(SampleBatchReader reader) throws IOException {
        List<RequestSample> samples = new ArrayList<>();
        for (Optional<RequestSample> next = reader.next(); next.isPresent(); next = reader.next()) {
            samples.add(next.get());
        }
        return samples;
    }

    /** Rows of tokens x 2: two experts of which the first takes {@code first}. */
    private static ExpertCounts counts(int tokens, int first) {
        int rest = tokens - first;
        return ExpertCounts.of(2, 4, new int[] {first, tokens, rest, 0, first, tokens, rest, 0});
    }
}
