package io.eldr.core.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutedExpertsTest {
    private static final Geometry GEOMETRY = new Geometry(3, 8, 2);
    private static final String FIELD = "signature.routed_experts";
    private static final Map<String, String> FILES = files();

    static List<String> npyFiles() {
        return FILES.keySet().stream()
                .filter(name -> name.matches("(dense)?[<>|][iu][1248]|version2"))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("npyFiles")
    void countsEveryIntegerTypeAndByteOrderThatNumpyWrites(String name) {
        RoutedRows rows = NpyForm.read(FIELD, file(name), GEOMETRY);

        assertThat(rows.tokens()).isEqualTo(5);
        assertThat(rows.firstTokens(FIELD, 5)).isEqualTo(counts("counts"));
        assertThat(rows.firstTokens(FIELD, 3)).isEqualTo(counts("first-three"));
    }

    @Test
    void findsFourteenTypesFourWithDenseLayersAndTheLongHeader() {
        assertThat(npyFiles()).hasSize(14 + 4 + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<i4", "sglang"})
    void tellsVllmsFileFromSglangsBareNumbersByItsMagic(String name) {
        assertThat(RoutedExpertsForm.read(FIELD, file(name), GEOMETRY).counts(0, 5))
                .isEqualTo(counts("counts"));
    }

    @Test
    void countsNestedLists() {
        assertThat(NestedForm.read("prompt_routed_experts", nested(), GEOMETRY).counts(0, 5))
                .isEqualTo(counts("counts"));
    }

    @Test
    void splitsPromptAndAnswer() {
        RoutedRows rows = NpyForm.read(FIELD, file("<i4"), GEOMETRY);
        int[] sum = rows.counts(0, 3).toArray();
        int[] answer = rows.counts(3, 5).toArray();
        Arrays.setAll(sum, i -> sum[i] + answer[i]);

        assertThat(ExpertCounts.of(3, 8, sum)).isEqualTo(counts("counts"));
        rows.counts(3, 5).requireRowSums(FIELD, 2, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fortran", "float", "flat"})
    void refusesFilesOfOtherOrderTypeOrShape(String name) {
        assertRefused(() -> NpyForm.read(FIELD, file(name), GEOMETRY), FIELD);
    }

    @Test
    void refusesAnotherModelsRows() {
        assertRefused(() -> NpyForm.read(FIELD, file("<i4"), new Geometry(3, 8, 3)), FIELD);
        assertRefused(() -> NpyForm.read(FIELD, file("<i4"), new Geometry(4, 8, 2)), FIELD);
        assertRefused(() -> NpyForm.read(FIELD, file("<i4"), new Geometry(2, 8, 2)), FIELD);
        assertRefused(() -> NpyForm.read(FIELD, file("<i4"), new Geometry(3, 4, 2)), FIELD);
        assertRefused(() -> RoutedExpertsForm.read(FIELD, file("sglang"), new Geometry(7, 8, 2)), FIELD);
    }

    @Test
    void refusesMoreTokensThanThereAreRows() {
        RoutedRows rows = NpyForm.read(FIELD, file("<i4"), GEOMETRY);

        assertRefused(() -> rows.firstTokens(FIELD, 6), FIELD);
    }

    @Test
    void refusesTextThatIsNotBase64() {
        assertRefused(() -> RoutedExpertsForm.read(FIELD, "not base64!", GEOMETRY), FIELD);
    }

    @Test
    void namesTheTokenWhoseListIsShort() {
        int[][][] rows = nested();
        rows[2][1] = new int[] {1};

        assertRefused(() -> NestedForm.read("rows", rows, GEOMETRY), "rows[2][1]");
    }

    @Test
    void refusesATokenThatSelectsAnExpertTwice() {
        int[][][] rows = nested();
        rows[4][2] = new int[] {5, 5};

        assertRefused(() -> NestedForm.read("rows", rows, GEOMETRY), "rows");
    }

    @Test
    void cannotTellDenseLayersWhereEachTokenSelectsOneExpert() {
        int[][][] rows = {{{0}, {3}}};

        assertThat(NestedForm.read("rows", rows, new Geometry(2, 4, 1))
                        .counts(0, 1)
                        .count(0, 0))
                .isOne();
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> RoutedRows.of("rows", new Geometry(1, 4, 1), 1, 2, i -> 0))
                .withMessageContaining("k = 1");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void damagedFilesAreRefusedOrReadAndNothingElse(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        byte[] whole = Base64.getDecoder().decode(file("<i2"));
        for (int round = 0; round < 2_000; round++) {
            byte[] damaged = Arrays.copyOf(whole, random.nextInt(4) == 0 ? random.nextInt(whole.length) : whole.length);
            for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            String text = Base64.getEncoder().encodeToString(damaged);
            try {
                assertThat(RoutedExpertsForm.read(FIELD, text, GEOMETRY).tokens())
                        .isBetween(0, 15);
            } catch (InvalidInputException refused) {
                assertThat(refused.field()).isEqualTo(FIELD);
            }
        }
    }

    @Test
    void addsUpBlocks() {
        BlocksForm.Block one = block("a", 1, 0, 2);
        BlocksForm.Block other = block("b", 3, 254, 0);

        ExpertCounts sum = BlocksForm.read("blocks", List.of(one, other), new Geometry(1, 3, 1));

        assertThat(sum).isEqualTo(ExpertCounts.of(1, 3, new int[] {4, 254, 2}));
    }

    @Test
    void refusesBlocksThatAreMissingRepeatedSaturatedOrMisshaped() {
        Geometry geometry = new Geometry(1, 3, 1);

        assertRefused(() -> BlocksForm.read("blocks", List.of(), geometry), "blocks");
        assertRefused(
                () -> BlocksForm.read("blocks", List.of(block("a", 1, 0, 2), block("a", 1, 0, 2)), geometry),
                "blocks[1].hash");
        assertRefused(() -> BlocksForm.read("blocks", List.of(block("a", 1, 0, 255)), geometry), "blocks[0].counts");
        assertRefused(() -> BlocksForm.read("blocks", List.of(block("a", 1, 0)), geometry), "blocks[0].counts");
    }

    private static BlocksForm.Block block(String hash, int... counts) {
        byte[] bytes = new byte[counts.length];
        for (int i = 0; i < counts.length; i++) {
            bytes[i] = (byte) counts[i];
        }
        return new BlocksForm.Block(hash, Base64.getEncoder().encodeToString(bytes));
    }

    private static void assertRefused(Runnable reading, String field) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(reading::run)
                .satisfies(refused -> assertThat(refused.field()).isEqualTo(field));
    }

    private static ExpertCounts counts(String name) {
        return ExpertCounts.of(
                GEOMETRY.layers(),
                GEOMETRY.experts(),
                Arrays.stream(file(name).split(" ")).mapToInt(Integer::parseInt).toArray());
    }

    private static int[][][] nested() {
        int[] ids = Arrays.stream(file("nested").split("\\D+"))
                .filter(text -> !text.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
        int[][][] rows = new int[5][3][2];
        for (int i = 0; i < ids.length; i++) {
            rows[i / 6][i % 6 / 2][i % 2] = ids[i];
        }
        return rows;
    }

    private static String file(String name) {
        return Objects.requireNonNull(FILES.get(name), name);
    }

    private static Map<String, String> files() {
        try (InputStream in =
                Objects.requireNonNull(RoutedExpertsTest.class.getResourceAsStream("routed-experts.txt"))) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" ", 2))
                    .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
