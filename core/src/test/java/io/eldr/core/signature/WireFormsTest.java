package io.eldr.core.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireFormsTest {
    private static final Geometry TWO_BY_THREE = new Geometry(2, 3, 2);
    /** Three tokens that choose two of three experts in two layers. */
    private static final ExpertCounts THREE_TOKENS = ExpertCounts.of(2, 3, new int[] {3, 2, 1, 0, 3, 3});

    private static final String THREE_TOKENS_HEX = "030002000100000003000300";

    // eldr_sig

    @Test
    void eldrSigIsLittleEndianInt16ByLayer() {
        String base64 = base64(THREE_TOKENS_HEX);

        assertThat(base64).isEqualTo("AwACAAEAAAADAAMA");
        assertThat(EldrSigForm.read("s", base64, TWO_BY_THREE)).isEqualTo(THREE_TOKENS);
        assertThat(EldrSigForm.write(THREE_TOKENS)).isEqualTo(base64);
    }

    @Test
    void eldrSigHoldsCountsUpTo32767() {
        ExpertCounts most = ExpertCounts.of(1, 1, new int[] {32_767});

        assertThat(EldrSigForm.write(most)).isEqualTo(base64("ff7f"));
        assertThat(EldrSigForm.read("s", base64("ff7f"), new Geometry(1, 1, 1))).isEqualTo(most);
        assertRefused(() -> EldrSigForm.write(ExpertCounts.of(1, 1, new int[] {32_768})), "eldr_sig", "cannot hold");
    }

    @Test
    void eldrSigWithAWrappedCounterIsRefusedWithItsPlace() {
        assertRefused(
                () -> EldrSigForm.read("signature.eldr_sig", base64("030002000100000003000080"), TWO_BY_THREE),
                "signature.eldr_sig",
                "is negative (-32768) at layer 1, expert 2: int16 counts wrap above 32767");
    }

    @Test
    void eldrSigOfAnotherLengthIsRefused() {
        assertRefused(() -> EldrSigForm.read("s", "", TWO_BY_THREE), "s", "holds 0 bytes but int16 [2, 3] takes 12");
        assertRefused(
                () -> EldrSigForm.read("s", base64(THREE_TOKENS_HEX.substring(2)), TWO_BY_THREE),
                "s",
                "holds 11 bytes");
        assertRefused(
                () -> EldrSigForm.read("s", base64(THREE_TOKENS_HEX + "00"), TWO_BY_THREE), "s", "has 20 characters");
    }

    @Test
    void gateSumsAsFloatsAreNotTakenForCounts() {
        ByteBuffer floats = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        floats.putFloat(Float.NaN).putFloat(0.5f);

        assertRefused(
                () -> EldrSigForm.read("s", Base64.getEncoder().encodeToString(floats.array()), TWO_BY_THREE),
                "s",
                "has 32 characters but int16 [2, 3] takes 16");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "NaN",
                "AwACAAEAAAADAAM*",
                "AwAC AEAAAADAAMA",
                "AwACAAEAAAADAAM=A",
                "AwACAAEAAAADAA==MA",
                "é",
                "AwACAAEAAAADAA-_",
                "null",
                "[3,2,1,0,3,3]"
            })
    void textThatIsNotBase64OfTheRightLengthIsRefused(String text) {
        assertRefused(() -> EldrSigForm.read("s", text, TWO_BY_THREE), "s", "");
        assertRefused(() -> ours("u16", text).read("s", TWO_BY_THREE), "s.counts", "");
    }

    // raw

    @Test
    void rawIsLittleEndianUint16ByLayer() {
        byte[] bytes = HexFormat.of().parseHex(THREE_TOKENS_HEX);

        assertThat(RawForm.read("body", bytes, TWO_BY_THREE)).isEqualTo(THREE_TOKENS);
        assertThat(RawForm.write(THREE_TOKENS)).isEqualTo(bytes);
    }

    @Test
    void rawValuesAreUnsignedAndSaturate() {
        Geometry one = new Geometry(1, 1, 1);

        assertThat(RawForm.read("body", HexFormat.of().parseHex("0080"), one).cell(0))
                .isEqualTo(32_768);
        assertThat(RawForm.read("body", HexFormat.of().parseHex("ffff"), one).cell(0))
                .isEqualTo(65_535);
        assertThat(RawForm.write(ExpertCounts.of(1, 1, new int[] {70_000}))).containsExactly(0xFF, 0xFF);
    }

    @Test
    void rawReadsWhatRemainsOfABufferAndLeavesItThere() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(20).order(ByteOrder.BIG_ENDIAN);
        buffer.put(5, HexFormat.of().parseHex(THREE_TOKENS_HEX)).position(5).limit(17);

        assertThat(RawForm.read("body", buffer, TWO_BY_THREE)).isEqualTo(THREE_TOKENS);
        assertThat(buffer.position()).isEqualTo(5);
        assertThat(buffer.remaining()).isEqualTo(12);
        assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 1, 11, 13, 24})
    void rawOfAnotherLengthIsRefused(int length) {
        assertRefused(
                () -> RawForm.read("body", new byte[length], TWO_BY_THREE),
                "body",
                "holds " + length + " bytes but uint16 [2, 3] takes 12");
    }

    // eldr

    @Test
    void oursCarriesItsShapeAndTokens() {
        EldrForm form = EldrForm.write(THREE_TOKENS, 3);

        assertThat(form)
                .isEqualTo(new EldrForm(
                        Optional.of(1),
                        Optional.of(2),
                        Optional.of(3),
                        Optional.of(3L),
                        Optional.of("u16"),
                        Optional.of("AwACAAEAAAADAAMA")));
        assertThat(form.read("eldr", TWO_BY_THREE)).isEqualTo(THREE_TOKENS);
    }

    @Test
    void oursTurnsTo32BitsAbove65535() {
        Geometry geometry = new Geometry(1, 2, 1);
        ExpertCounts narrow = ExpertCounts.of(1, 2, new int[] {65_535, 1});
        ExpertCounts wide = ExpertCounts.of(1, 2, new int[] {65_536, 1});

        assertThat(EldrForm.write(narrow, 65_536).dtype()).contains("u16");
        assertThat(EldrForm.write(wide, 65_537).dtype()).contains("u32");
        assertThat(EldrForm.write(wide, 65_537).counts()).contains(base64("0000010001000000"));
        assertThat(EldrForm.write(narrow, 65_536).read("eldr", geometry)).isEqualTo(narrow);
        assertThat(EldrForm.write(wide, 65_537).read("eldr", geometry)).isEqualTo(wide);
    }

    @Test
    void oursMayFallShortOnlyInALayerWithASaturatedCount() {
        Geometry geometry = new Geometry(2, 2, 1);
        String saturatedFirst = base64("ffff0100" + "00000000");

        assertThat(ours("u16", base64("ffff0100" + "ffff0100"), 2, 2, 80_000)
                        .read("eldr", geometry)
                        .layerSum(0))
                .isEqualTo(65_536);
        assertRefused(
                () -> ours("u16", saturatedFirst, 2, 2, 80_000).read("eldr", geometry),
                "eldr.counts",
                "layer 1 sums to 0 instead of 80000 tokens x 1 = 80000");
        assertRefused(
                () -> ours("u16", saturatedFirst, 2, 2, 100).read("eldr", geometry),
                "eldr.counts",
                "layer 0 sums to 65536");
    }

    @Test
    void oursWhoseLayersDoNotSumToTokensTimesKIsRefused() {
        assertRefused(
                () -> EldrForm.write(THREE_TOKENS, 4).read("signature.eldr", TWO_BY_THREE),
                "signature.eldr.counts",
                "layer 0 sums to 6 instead of 4 tokens x 2 = 8");
        assertRefused(
                () -> ours("u32", base64("03000000".repeat(6))).read("eldr", TWO_BY_THREE),
                "eldr.counts",
                "layer 0 sums to 9 instead of 3 tokens x 2 = 6");
    }

    @Test
    void oursNamesTheFieldAtFault() {
        EldrForm good = EldrForm.write(THREE_TOKENS, 3);

        assertRefused(() -> with(good, "v", Optional.of(2)).read("e", TWO_BY_THREE), "e.v", "must be 1 but is 2");
        assertRefused(
                () -> with(good, "layers", Optional.of(3)).read("e", TWO_BY_THREE), "e.layers", "must be 2 but is 3");
        assertRefused(
                () -> with(good, "experts", Optional.of(-3)).read("e", TWO_BY_THREE),
                "e.experts",
                "must be 3 but is -3");
        assertRefused(() -> with(good, "tokens", Optional.of(-1L)).read("e", TWO_BY_THREE), "e.tokens", "but is -1");
        assertRefused(
                () -> with(good, "tokens", Optional.of(Long.MAX_VALUE)).read("e", TWO_BY_THREE), "e.tokens", "between");
        assertRefused(
                () -> with(good, "dtype", Optional.of("f4")).read("e", TWO_BY_THREE), "e.dtype", "must be u16 or u32");
        assertRefused(
                () -> with(good, "dtype", Optional.of("u32")).read("e", TWO_BY_THREE),
                "e.counts",
                "holds 12 bytes but u32 [2, 3] takes 24");
        assertRefused(() -> with(good, "counts", Optional.of("")).read("e", TWO_BY_THREE), "e.counts", "holds 0 bytes");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"v", "layers", "experts", "tokens", "dtype", "counts"})
    void oursNeedsEveryField(String field) {
        EldrForm form = with(EldrForm.write(THREE_TOKENS, 3), field, Optional.empty());

        assertRefused(() -> form.read("e", TWO_BY_THREE), "e." + field, "is missing");
    }

    @Test
    void oursRefusesCountsThatAreNegativeAs32Bits() {
        assertRefused(
                () -> ours("u32", base64("00000000".repeat(5) + "00000080")).read("eldr", TWO_BY_THREE),
                "eldr.counts",
                "is 2147483648 at layer 1, expert 2, more than 2147483647");
    }

    // all

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void everyFormReadsWhatItWrote(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        int experts = random.nextInt(1, 70);
        Geometry geometry = new Geometry(random.nextInt(1, 12), experts, random.nextInt(1, experts + 1));
        int tokens = random.nextInt(0, 3_000);
        ExpertCounts counts = randomCounts(random, geometry, tokens);

        assertThat(EldrSigForm.read("s", EldrSigForm.write(counts), geometry)).isEqualTo(counts);
        assertThat(RawForm.read("s", RawForm.write(counts), geometry)).isEqualTo(counts);
        assertThat(EldrForm.write(counts, tokens).read("s", geometry)).isEqualTo(counts);
        int factor = random.nextInt(1, 200);
        ExpertCounts many = scaled(counts, factor);
        assertThat(EldrForm.write(many, (long) tokens * factor).read("s", geometry))
                .isEqualTo(many);
    }

    private static ExpertCounts randomCounts(RandomGenerator random, Geometry geometry, int tokens) {
        int[] cells = new int[geometry.cells()];
        for (int token = 0; token < tokens; token++) {
            for (int layer = 0; layer < geometry.layers(); layer++) {
                int first = random.nextInt(geometry.experts());
                for (int rank = 0; rank < geometry.topK(); rank++) {
                    cells[layer * geometry.experts() + (first + rank) % geometry.experts()]++;
                }
            }
        }
        return ExpertCounts.of(geometry.layers(), geometry.experts(), cells);
    }

    private static ExpertCounts scaled(ExpertCounts counts, int factor) {
        int[] cells = counts.toArray();
        for (int i = 0; i < cells.length; i++) {
            cells[i] *= factor;
        }
        return ExpertCounts.of(counts.layers(), counts.experts(), cells);
    }

    private static EldrForm ours(String dtype, String counts) {
        return ours(dtype, counts, 2, 3, 3);
    }

    private static EldrForm ours(String dtype, String counts, int layers, int experts, long tokens) {
        return new EldrForm(
                Optional.of(1),
                Optional.of(layers),
                Optional.of(experts),
                Optional.of(tokens),
                Optional.of(dtype),
                Optional.of(counts));
    }

    /** The form with one field replaced. */
    private static EldrForm with(EldrForm form, String field, Optional<Object> value) {
        return new EldrForm(
                field.equals("v") ? value.map(Integer.class::cast) : form.v(),
                field.equals("layers") ? value.map(Integer.class::cast) : form.layers(),
                field.equals("experts") ? value.map(Integer.class::cast) : form.experts(),
                field.equals("tokens") ? value.map(Long.class::cast) : form.tokens(),
                field.equals("dtype") ? value.map(String.class::cast) : form.dtype(),
                field.equals("counts") ? value.map(String.class::cast) : form.counts());
    }

    private static String base64(String hex) {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
    }

    private static void assertRefused(ThrowingCallable reading, String field, String reason) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(reading)
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(field))
                .satisfies(refusal -> assertThat(refusal.reason()).contains(reason));
    }
}
