package io.eldr.core.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.InvalidInputException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPairsTest {
    @Test
    void listsAllPairsOfFourRequests() {
        assertThat(codes(RequestPairs.all(4))).containsExactly("0-1", "0-2", "0-3", "1-2", "1-3", "2-3");
    }

    @Test
    void oneRequestHasNoPairs() {
        assertThat(RequestPairs.all(1).count()).isZero();
        assertThat(RequestPairs.random(1, 10, new SplittableRandom(1)).count()).isZero();
    }

    @ParameterizedTest(name = "{1} of the pairs of {0} requests")
    @CsvSource({"5,1", "5,4", "5,5", "5,6", "5,9", "213,11288", "213,11290", "213,22000", "1000,30000"})
    void drawsDistinctPairsOfDifferentRequests(int requests, int count) {
        RequestPairs pairs = RequestPairs.random(requests, count, new SplittableRandom(7));

        List<String> codes = codes(pairs);
        assertThat(pairs.requests()).isEqualTo(requests);
        assertThat(codes).hasSize(count).doesNotHaveDuplicates();
        for (int p = 0; p < pairs.count(); p++) {
            assertThat(pairs.first(p)).isBetween(0, pairs.second(p) - 1);
            assertThat(pairs.second(p)).isLessThan(requests);
        }
        assertThat(codes(RequestPairs.random(requests, count, new SplittableRandom(7))))
                .isEqualTo(codes);
    }

    @Test
    void takesAllWhereFewerExistThanAskedFor() {
        assertThat(codes(RequestPairs.random(30, 30_000, new SplittableRandom(1))))
                .isEqualTo(codes(RequestPairs.all(30)));
        assertThat(codes(RequestPairs.random(4, 6, new SplittableRandom(1)))).isEqualTo(codes(RequestPairs.all(4)));
    }

    @ParameterizedTest(name = "{0} of 6 pairs")
    @CsvSource({"2", "5"})
    void drawsEveryPairEquallyOften(int count) {
        Map<String, Integer> drawn = new HashMap<>();
        for (int seed = 0; seed < 6_000; seed++) {
            for (String code : codes(RequestPairs.random(4, count, new SplittableRandom(seed)))) {
                drawn.merge(code, 1, Integer::sum);
            }
        }

        // 1,000 x count expected, the standard deviation is below 37.
        assertThat(drawn).hasSize(6);
        assertThat(drawn.values())
                .allSatisfy(times -> assertThat(times).isBetween(1_000 * count - 200, 1_000 * count + 200));
    }

    @Test
    void anotherSeedDrawsOtherPairs() {
        assertThat(new HashSet<>(codes(RequestPairs.random(1_000, 100, new SplittableRandom(1)))))
                .isNotEqualTo(new HashSet<>(codes(RequestPairs.random(1_000, 100, new SplittableRandom(2)))));
    }

    @Test
    void refusesAbsurdNumbersByName() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> RequestPairs.all(100_000))
                .withMessageContaining("pairs: 100000 requests make 4999950000 pairs");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> RequestPairs.random(100_000, 60_000_000, new SplittableRandom(1)))
                .withMessageContaining("pairs: must be between 1 and 50000000");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> RequestPairs.random(10, 0, new SplittableRandom(1)))
                .withMessageContaining("pairs");
    }

    private static List<String> codes(RequestPairs pairs) {
        return IntStream.range(0, pairs.count())
                .mapToObj(p -> pairs.first(p) + "-" + pairs.second(p))
                .toList();
    }
}
