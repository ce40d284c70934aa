package io.eldr.core.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Parallel;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RhoTest {
    private static final Parallel ALONE = Parallel.sequential();

    @Test
    void matchesAValueWorkedOutByHand() {
        // Signature cosines 0, .71, .71 rank 1, 2.5, 2.5; target cosines 0, 1, 0 rank 1.5, 3, 1.5; so rho = .75 / 1.5.
        List<ExpertCounts> prefill = List.of(row(1, 0), row(0, 1), row(1, 1));
        List<ExpertCounts> decoded = List.of(row(2, 0), row(0, 3), row(3, 0));

        assertThat(rho(count(), prefill, decoded)).hasValueCloseTo(0.5, within(1e-12));
    }

    @Test
    void aZeroVectorIsAtDistanceOneFromEverything() {
        // Signature cosines 0 (with the zero), 0 (with the zero), 1; target cosines 0, 0, 1: the same order.
        List<ExpertCounts> prefill = List.of(row(0, 0), row(2, 1), row(4, 2));
        List<ExpertCounts> decoded = List.of(row(1, 0), row(0, 1), row(0, 1));

        assertThat(rho(count(), prefill, decoded)).hasValueCloseTo(1.0, within(1e-12));
        assertThat(rho(count(), decoded, prefill)).hasValueCloseTo(1.0, within(1e-12));
    }

    @Test
    void isUndefinedWhereAllSignaturesOrAllTargetsAreEquallyFarApart() {
        List<ExpertCounts> same = List.of(row(3, 1), row(6, 2), row(300, 100), row(9, 3));
        List<ExpertCounts> different = List.of(row(1, 0), row(0, 1), row(1, 1), row(1, 3));
        List<ExpertCounts> zero = List.of(row(0, 0), row(0, 0), row(0, 0), row(0, 0));

        assertThat(rho(count(), same, different)).isEmpty();
        assertThat(rho(count(), different, same)).isEmpty();
        assertThat(rho(count(), zero, different)).isEmpty();
        assertThat(rho(count(), different, zero)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void agreesWithWholeSignaturesForEveryRepresentationAndMask(long seed) {
        SyntheticRequests requests = SyntheticRequests.of(40, 5, 7, seed);
        LayerMask all = LayerMask.all(5);
        RequestPairs pairs = RequestPairs.random(40, 300, new SplittableRandom(seed));
        Rho rho = Rho.against(requests.decoded(), pairs, ALONE);
        for (SignatureSpec spec : List.of(
                SignatureSpec.count(5, 7, all),
                SignatureSpec.countIdf(all, IdfWeights.fit(5, 7, requests.prefill())),
                SignatureSpec.binary(5, 7, all))) {
            LayerProducts products = LayerProducts.of(spec, requests.prefill(), pairs, ALONE);
            for (LayerMask mask : List.of(all, LayerMask.of(5, 2), LayerMask.of(5, 0, 3, 4))) {
                assertThat(rho.of(products, mask))
                        .as("%s, layers %s", spec.representation(), mask)
                        .hasValueCloseTo(NaiveRho.of(NaiveRho.masked(spec, mask), requests, pairs), within(1e-5));
            }
        }
    }

    @Test
    void refusesPairsOfOtherRequests() {
        List<ExpertCounts> three = List.of(row(1, 0), row(0, 1), row(1, 1));
        RequestPairs pairsOfFour = RequestPairs.all(4);
        RequestPairs pairsOfThree = RequestPairs.all(3);

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> Rho.against(three, pairsOfFour, ALONE))
                .withMessage("pairs: are of 4 requests but there are 3");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> LayerProducts.of(count(), three, pairsOfFour, ALONE))
                .withMessage("pairs: are of 4 requests but there are 3");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> Rho.against(List.of(row(1, 0)), RequestPairs.all(1), ALONE))
                .withMessageContaining("at least two requests");
        LayerProducts products = LayerProducts.of(count(), three, pairsOfThree, ALONE);
        Rho others = Rho.against(three, RequestPairs.all(3), ALONE);
        assertThatIllegalArgumentException().isThrownBy(() -> others.of(products, LayerMask.all(1)));
    }

    @Test
    void refusesARequestOfAnotherShapeByItsNumber() {
        List<ExpertCounts> mixed = List.of(row(1, 0), ExpertCounts.zero(2, 2));

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> LayerProducts.of(count(), mixed, RequestPairs.all(2), ALONE))
                .withMessageContaining("counts[1]: have shape [2, 2] instead of [1, 2]");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> Rho.against(mixed, RequestPairs.all(2), ALONE))
                .withMessageContaining("counts[1]");
    }

    @Test
    void refusesProductsThatMemoryCannotHold() {
        int requests = 1_000;
        ExpertCounts one = ExpertCounts.zero(100_000, 1);
        List<ExpertCounts> many = Collections.nCopies(requests, one);
        SignatureSpec wide = SignatureSpec.count(100_000, 1, LayerMask.all(100_000));

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> LayerProducts.of(wide, many, RequestPairs.all(requests), ALONE))
                .withMessageContaining("pairs: the products of 499500 pairs over 100000 layers take");
    }

    private static OptionalDouble rho(SignatureSpec spec, List<ExpertCounts> prefill, List<ExpertCounts> decoded) {
        RequestPairs pairs = RequestPairs.all(prefill.size());
        return Rho.against(decoded, pairs, ALONE)
                .of(LayerProducts.of(spec, prefill, pairs, ALONE), LayerMask.all(spec.layers()));
    }

    private static SignatureSpec count() {
        return SignatureSpec.count(1, 2, LayerMask.all(1));
    }

    private static ExpertCounts row(int... cells) {
        return ExpertCounts.of(1, cells.length, cells);
    }
}
