package io.eldr.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.clustering.Centroids;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainKMeansTest {
    /** Nine rows along one axis and one along another: balance would have to split the nine. */
    @Test
    void clustersMayBeOfAnySize() {
        List<float[]> rows = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            rows.add(new float[] {1, 0, 0});
        }
        rows.add(new float[] {0, 1, 0});

        Centroids centroids = PlainKMeans.fit(rows, 2, 7);

        List<Float> first = List.of(centroids.value(0, 0), centroids.value(1, 0));
        assertThat(first).containsExactlyInAnyOrder(1f, 0f);
    }

    @Test
    void theSameSeedGivesTheSameCentroids() {
        List<float[]> rows = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            double angle = i / 7.0;
            rows.add(new float[] {(float) Math.cos(angle), (float) Math.sin(angle)});
        }

        assertThat(PlainKMeans.fit(rows, 5, 3)).isEqualTo(PlainKMeans.fit(rows, 5, 3));
    }
}
