package io.eldr.core.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Representation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArtifactCodecTest {
    private final RoutingArtifact artifact = SampleArtifacts.random(1, Representation.COUNT_IDF);

    @ParameterizedTest
    @EnumSource(Representation.class)
    void anArtifactReadsBackAsItWasWritten(Representation representation) {
        for (long seed = 1; seed <= 20; seed++) {
            RoutingArtifact written = SampleArtifacts.random(seed, representation);
            assertThat(ArtifactCodec.decode(ArtifactCodec.encode(written)))
                    .as("seed %d", seed)
                    .isEqualTo(written);
        }
    }

    @Test
    void aFileFromBeforeDecodePatternsStillReads() {
        Evidence known = artifact.evidence();
        Evidence without = new Evidence(
                known.fittedRequests(),
                known.seed(),
                known.rho(),
                known.maskOrder(),
                known.maskCurve(),
                known.heldOut(),
                known.foreign());
        RoutingArtifact older = new RoutingArtifact(
                artifact.model(),
                artifact.spec(),
                artifact.centroids(),
                artifact.slots(),
                artifact.recommendedTau(),
                without);
        byte[] bytes = ArtifactCodec.encode(older);
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain("decodePatterns");
        assertThat(ArtifactCodec.decode(bytes)).isEqualTo(older);
        assertThat(older.placement(2, 32)).isEmpty();
        assertThat(artifact.placement(2, 32).orElseThrow().decoders()).isEqualTo(artifact.slots());
    }

    @Test
    void damagedDecodePatternsAreRefused() {
        refused(header -> header.replace("\"u16le\":\"", "\"u16le\":\"AAAAAAAA"), "decodePatterns: must hold");
        refused(header -> header.replace("\"u16le\":\"", "\"u16le\":\"A"), "decodePatterns.u16le: ");
        refused(
                header -> header.replaceFirst("bases\":\\[\"decode\"", "bases\":[\"dream\""),
                "decodePatterns.bases: must be");
        refused(header -> header.replaceFirst("bases\":\\[\"decode\",?", "bases\":["), "decodePatterns: must");
    }

    @Test
    void aFileFromBeforeForecastsStillReads() {
        RoutingArtifact older = SampleArtifacts.random(3, Representation.COUNT);
        byte[] bytes = ArtifactCodec.encode(older);

        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain("forecast");
        assertThat(ArtifactCodec.decode(bytes).evidence().forecast()).isEmpty();
    }

    @Test
    void aDamagedForecastIsRefused() {
        assertThat(artifact.evidence().forecast().orElseThrow().neighbours()).isPresent();
        refused(header -> header.replace("\"promptShare\":", "\"promptShare\":7"), "forecast.promptShare: must lie");
        refused(header -> header.replace("\"nearest\":1", "\"nearest\":9"), "forecast.nearest: must be between");
        refused(header -> header.replace("\"temperature\":", "\"temperature\":-"), "forecast.temperature: must be");
        refused(
                header -> header.replace("\"centroids\":\"", "\"centroids\":\"AAAAAAAA"),
                "forecast.neighbours.centroids: must hold");
        refused(
                header -> header.replace("\"centroids\":\"", "\"centroids\":\"A"),
                "forecast.neighbours.centroids: is not Base64");
    }

    @Test
    void theSameArtifactAlwaysEncodesToTheSameBytes() {
        RoutingArtifact again = ArtifactCodec.decode(ArtifactCodec.encode(artifact));
        assertThat(ArtifactCodec.encode(again)).isEqualTo(ArtifactCodec.encode(artifact));
        assertThat(ArtifactCodec.sha256Hex(ArtifactCodec.encode(artifact))).hasSize(64);
    }

    @Test
    void everyFlippedBitIsNoticed() {
        byte[] bytes = ArtifactCodec.encode(artifact);
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= (byte) (1 << (i % 8));
            assertThatThrownBy(() -> ArtifactCodec.decode(damaged))
                    .as("byte %d", i)
                    .isInstanceOf(InvalidInputException.class);
        }
    }

    @Test
    void everyTruncationIsNoticed() {
        byte[] bytes = ArtifactCodec.encode(artifact);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ArtifactCodec.decode(cut))
                    .as("length %d", length)
                    .isInstanceOf(InvalidInputException.class);
        }
    }

    @Test
    void anotherFormatVersionIsNamed() {
        byte[] bytes = ArtifactCodec.encode(artifact);
        bytes[7] = 2;
        assertThatThrownBy(() -> ArtifactCodec.decode(bytes)).hasMessageContaining("format version 2");
    }

    @Test
    void whatIsWrongIsNamedEvenUnderAGoodChecksum() {
        refused(header -> header.replace("\"mask\":[1,3,4]", "\"mask\":[3,1,4]"), "mask: must be ascending");
        refused(header -> header.replace("\"mask\":[1,3,4]", "\"mask\":[1,3,9]"), "mask: layer 9");
        refused(header -> header.replaceFirst("\"slots\":\\[\"decoder-0\",", "\"slots\":["), "slots: are");
        refused(header -> header.replace("\"layers\":5", "\"layers\":-5"), "layers: must be between");
        refused(header -> header.replace("\"topK\":2", "\"topK\":9"), "topK: must be between");
        refused(header -> header.replace("\"layers\":5", "\"layers\":6"), "idf: weights|centroids|artifact|slots");
        refused(header -> header.replace("count_idf", "mystery"), "representation: must be one of");
        refused(header -> header.replace("\"recommendedTau\":", "\"recommendedTau\":-"), "recommendedTau: must be");
        refused(
                header -> header.replaceFirst("recommendedTau\":[0-9.]*", "recommendedTau\":1e21"),
                "recommendedTau: must");
        refused(header -> header.replace("fittedRequests\":300", "fittedRequests\":-1"), "fittedRequests: must not be");
        refused(header -> header.replace("meanBand\":1.0", "meanBand\":-1.0"), "heldOut.meanBand: must lie");
        refused(header -> header.replace("{\"model\"", "{{\"model\""), "artifact.header: is not valid JSON");
        refused(header -> header.replace("\"clusters\":", "\"clusters\":10000"), "centroids: needs");
    }

    @Test
    void aCentroidThatIsNotOfUnitLengthIsRefusedByItsNumber() {
        byte[] bytes = ArtifactCodec.encode(artifact);
        int headerLength = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        int firstCentroid = 12 + headerLength + Float.BYTES * SampleArtifacts.GEOMETRY.cells();
        assertThatThrownBy(() -> ArtifactCodec.decode(withFloat(bytes, firstCentroid, 3f)))
                .hasMessageContaining("centroids[0]: must have length 1");
        assertThatThrownBy(() -> ArtifactCodec.decode(withFloat(bytes, firstCentroid, Float.NaN)))
                .hasMessageContaining("centroids[0]: holds NaN");
    }

    @Test
    void aHeldOutGapThatCannotBeIsRefused() {
        byte[] bytes = ArtifactCodec.encode(artifact);
        int lastGap = bytes.length - 32 - Float.BYTES;
        for (float gap : new float[] {Float.NaN, Float.POSITIVE_INFINITY, 5, -0.9f, 0.05f}) {
            assertThatThrownBy(() -> ArtifactCodec.decode(withFloat(bytes, lastGap, gap)))
                    .hasMessageContaining("heldOut.gaps");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomBytesBehindTheMarkAreRefusedWithAReason(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] mark = Arrays.copyOf(ArtifactCodec.encode(artifact), 8);
        for (int i = 0; i < 200; i++) {
            byte[] junk = new byte[random.nextInt(300)];
            random.nextBytes(junk);
            byte[] bytes = Arrays.copyOf(mark, 8 + junk.length);
            System.arraycopy(junk, 0, bytes, 8, junk.length);
            assertThatThrownBy(() -> ArtifactCodec.decode(resealed(bytes))).isInstanceOf(InvalidInputException.class);
        }
    }

    private void refused(UnaryOperator<String> change, String messagePattern) {
        byte[] bytes = ArtifactCodec.encode(artifact);
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
        String header = new String(bytes, 12, length, StandardCharsets.UTF_8);
        String changed = change.apply(header);
        assertThat(changed).as("the change must change something").isNotEqualTo(header);
        byte[] newHeader = changed.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(bytes.length - length + newHeader.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes, 0, 8)
                .putInt(newHeader.length)
                .put(newHeader)
                .put(bytes, 12 + length, bytes.length - 12 - length);
        assertThatThrownBy(() -> ArtifactCodec.decode(resealed(out.array())))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageFindingMatch(messagePattern);
    }

    private static byte[] withFloat(byte[] bytes, int offset, float value) {
        byte[] changed = bytes.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putFloat(offset, value);
        return resealed(changed);
    }

    private static byte[] resealed(byte[] bytes) {
        if (bytes.length < 40) {
            return bytes;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, bytes.length - 32);
            System.arraycopy(digest.digest(), 0, bytes, bytes.length - 32, 32);
            return bytes;
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
