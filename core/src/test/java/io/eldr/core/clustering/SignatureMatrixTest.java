package io.eldr.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignatureMatrixTest {
    @Test
    void holdsTheSignaturesOfCounts() {
        SignatureSpec spec = SignatureSpec.count(2, 2, LayerMask.of(2, 1));

        SignatureMatrix matrix = SignatureMatrix.of(
                spec,
                List.of(ExpertCounts.of(2, 2, new int[] {9, 9, 3, 4}), ExpertCounts.of(2, 2, new int[] {1, 1, 0, 0})));

        assertThat(matrix.rows()).isEqualTo(2);
        assertThat(matrix.dimensions()).isEqualTo(2);
        assertThat(matrix.row(0)).containsExactly(0.6f, 0.8f);
        assertThat(matrix.isZero(0)).isFalse();
        assertThat(matrix.isZero(1)).isTrue();
    }

    @Test
    void copiesTheRowsItIsGiven() {
        float[][] rows = {{1, 0}};
        SignatureMatrix matrix = SignatureMatrix.of(2, rows);
        rows[0][0] = 5;

        assertThat(matrix.row(0)).containsExactly(1, 0);
    }

    @Test
    void refusesRowsThatAreNoSignaturesByNumber() {
        refused(new float[][] {{1, 0}, {1, 1}}, "signatures[1]: must have length 1 or 0");
        refused(new float[][] {{1, 0, 0}}, "signatures[0]: has 3 values instead of 2");
        refused(new float[][] {{Float.NaN, 0}}, "signatures[0]");
        refused(new float[][] {{Float.POSITIVE_INFINITY, 0}}, "signatures[0]");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> SignatureMatrix.of(
                        SignatureSpec.count(1, 2, LayerMask.all(1)),
                        List.of(ExpertCounts.zero(1, 2), ExpertCounts.zero(2, 1))))
                .withMessageContaining("counts[1]: have shape [2, 1] instead of [1, 2]");
    }

    private static void refused(float[][] rows, String message) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> SignatureMatrix.of(2, rows))
                .withMessageContaining(message);
    }
}
