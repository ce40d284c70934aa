package io.eldr.core.drift;

/**
 * From where on a window has drifted, and a pool drifts (docs/adr/0008).
 *
 * @param psiFactor how many times its expectation without drift the PSI of the shares must exceed
 * @param psiFloor what the PSI must exceed in any case
 * @param significance how likely a Kolmogorov-Smirnov distance this large may be without drift, in (0, 1)
 * @param similarityDrop by how much the mean best similarity must have fallen for that distance to count
 * @param windowsInRow how many windows in a row must have drifted for an alarm, and must not have for its end
 */
public record DriftThresholds(
        double psiFactor, double psiFloor, double significance, double similarityDrop, int windowsInRow) {
    public static final DriftThresholds DEFAULT = new DriftThresholds(4, 0.1, 0.001, 0.02, 3);

    public DriftThresholds {
        require("psiFactor", psiFactor >= 1 && Double.isFinite(psiFactor));
        require("psiFloor", psiFloor >= 0 && Double.isFinite(psiFloor));
        require("significance", significance > 0 && significance < 1);
        require("similarityDrop", similarityDrop >= 0 && similarityDrop <= 1);
        require("windowsInRow", windowsInRow >= 1);
    }

    private static void require(String name, boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is out of range");
        }
    }
}
