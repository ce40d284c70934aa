package io.eldr.core.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceJsonTest {
    private static final String COUNT_IDF = """
            {"model": "tiny", "algo": "kmbal", "k": 2, "m": 2, "L": 3, "e": 2, "n_fit": 40,
             "variant": "count_idf", "layer_select": "forward_greedy", "layer_mask": [0, 2],
             "sig_idf": [0.5, 1.5, 0.25, 0.0], "sig_dtype": "<i2", "seed": 1, "fit_peak_rho": 0.81,
             "centroids": [[0.6, 0.8, 0, 0], [0, 0, 1.0, 0]], "training_sha256": "ab"}
            """;

    @Test
    void theAuthorsFileIsRead() {
        RoutingArtifact artifact = read(COUNT_IDF);
        assertThat(artifact.model().name()).isEqualTo("tiny");
        assertThat(artifact.model().geometry().topK()).isEqualTo(1);
        assertThat(artifact.spec().mask()).isEqualTo(LayerMask.of(3, 0, 2));
        assertThat(artifact.spec().idf().orElseThrow().toArray()).containsExactly(0.5f, 1.5f, 0, 0, 0.25f, 0);
        assertThat(artifact.centroids().value(0, 1)).isEqualTo(0.8f);
        assertThat(artifact.slots()).containsExactly("0", "1");
        assertThat(artifact.recommendedTau()).isEqualTo(0.1);
        assertThat(artifact.evidence().heldOut()).isEmpty();
    }

    @Test
    void fieldsThatMeanNothingHereAreKept() {
        String exported = text(ReferenceJson.write(read(COUNT_IDF)));
        assertThat(exported)
                .contains("\"algo\":\"kmbal\"", "\"fit_peak_rho\":0.81", "\"n_fit\":40", "\"training_sha256\":\"ab\"");
    }

    @Test
    void importAndExportAreInverse() {
        RoutingArtifact artifact = read(COUNT_IDF);
        assertThat(read(text(ReferenceJson.write(artifact)))).isEqualTo(artifact);
    }

    @Test
    void variantAndMaskMayBeLeftOutForPlainCounts() {
        RoutingArtifact artifact =
                read("{\"model\":\"tiny\",\"k\":1,\"L\":2,\"e\":2,\"centroids\":[[0.5,0.5,0.5,0.5]]}");
        assertThat(artifact.spec()).isEqualTo(SignatureSpec.count(2, 2, LayerMask.all(2)));
    }

    @Test
    void aMaskedCountArtifactTravelsAsWeightsOfOne() {
        RoutingArtifact masked = SampleArtifacts.random(7, Representation.COUNT);
        String exported = text(ReferenceJson.write(masked));
        assertThat(exported).contains("\"variant\":\"count_idf\"").contains("\"sig_idf\":[1.0,1.0,");
        RoutingArtifact back = ReferenceJson.read(exported.getBytes(StandardCharsets.UTF_8), 2, "r7");
        assertThat(back.spec()).isEqualTo(masked.spec());
        assertThat(back.centroids()).isEqualTo(masked.centroids());
    }

    @Test
    void anArtifactOfAllLayersIsExportedAsPlainCount() {
        SignatureSpec spec = SignatureSpec.count(5, 8, LayerMask.all(5));
        RoutingArtifact artifact = new RoutingArtifact(
                new ModelIdentity("tiny", "", SampleArtifacts.GEOMETRY),
                spec,
                SampleArtifacts.unitCentroids(new SplittableRandom(3), 2, spec.dimensions()),
                List.of("0", "1"),
                0.1,
                new Evidence(9, 5, java.util.Map.of(), List.of(), List.of(), Optional.empty(), java.util.Map.of()));
        assertThat(text(ReferenceJson.write(artifact)))
                .contains("\"variant\":\"count\"", "\"n_fit\":9", "\"seed\":5")
                .doesNotContain("sig_idf");
    }

    @Test
    void binaryCannotBeExportedAndSaysSo() {
        assertThatThrownBy(() -> ReferenceJson.write(SampleArtifacts.random(1, Representation.BINARY)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("binary cannot be exported");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"k\": 2, | \"k\": 3, | centroids: must be k = 3 rows",
                "\"k\": 2, | \"k\": -1, | k: must be at least 1",
                "\"k\": 2, | | k: is missing",
                "\"k\": 2, | \"k\": 2.5, | k: must be an integer",
                "\"L\": 3 | \"L\": 0 | L: must be between",
                "\"e\": 2 | \"e\": 3 | sig_idf: must hold 6 weights",
                "[0, 2] | [2, 0] | layer_mask: must be ascending",
                "[0, 2] | [0, 3] | layer_mask: layer 3",
                "[0, 2] | [] | layer_mask: must name at least one",
                "1.5 | -1.5 | sig_idf: weights must be finite",
                "1.5 | 1e999 | sig_idf: weights must be finite",
                "1.5 | \"x\" | sig_idf[1]: must be a number",
                "1.5 | 1e99999999999 | artifact: holds a number that is out of range",
                "\"seed\": 1 | \"seed\": 1e-99999999999 | artifact: holds a number that is out of range",
                "[0.5, 1.5, 0.25, 0.0] | [0, 0, 0, 0] | idf: must not be 0",
                "1.5 | NaN | artifact: is not valid JSON",
                "0.8, | 0.9, | centroids[0]: must have length 1",
                "0.8, | | centroids[0]: must hold 4 values",
                "\"count_idf\" | \"gate_prob_all\" | variant: must be count or count_idf",
                "\"<i2\" | \"<f4\" | sig_dtype: must be <i2",
                "\"model\": \"tiny\", | \"model\": \" \", | model: must not be blank",
                "\"model\": \"tiny\", | \"model\": 5, | model: must be a string",
                "\"seed\": 1, | \"k\": 1, | artifact: is not valid JSON"
            })
    void eachWrongFieldIsNamed(String original, String replacement, String message) {
        assertThat(COUNT_IDF).contains(original);
        String changed = COUNT_IDF.replace(original, replacement == null ? "" : replacement);
        assertThatThrownBy(() -> read(changed))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(message);
    }

    private static RoutingArtifact read(String json) {
        return ReferenceJson.read(json.getBytes(StandardCharsets.UTF_8), 1, "");
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
