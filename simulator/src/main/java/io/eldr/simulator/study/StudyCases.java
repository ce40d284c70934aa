package io.eldr.simulator.study;

/** Makes what the runs of a study start from. */
@FunctionalInterface
public interface StudyCases {
    /**
     * @param decoders K, how many clusters the artifact is to have
     * @param seed of the split and the fit; the same gives the same case
     */
    StudyCase prepare(int decoders, long seed);

    /** The same, where policies that ask what a request will use are told the truth. */
    default StudyCases tellingTheTruth() {
        return (decoders, seed) -> prepare(decoders, seed).tellingTheTruth();
    }
}
