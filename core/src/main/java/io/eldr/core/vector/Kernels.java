package io.eldr.core.vector;

/** Holds the kernels of this JVM, chosen once when it is first used. */
final class Kernels {
    static final VectorKernels CHOSEN = choose();

    private Kernels() {}

    private static VectorKernels choose() {
        System.Logger logger = System.getLogger(Kernels.class.getName());
        if (!VectorModule.present()) {
            logger.log(
                    System.Logger.Level.INFO,
                    "Vectors in plain Java, several times slower: the JVM was started without --add-modules "
                            + VectorModule.NAME);
            return new ScalarKernels();
        }
        if (!VectorApiKernels.suitsProcessor()) {
            logger.log(
                    System.Logger.Level.INFO,
                    "Vectors in plain Java: this processor, or this JVM's options, have no vectors of 256 bits");
            return new ScalarKernels();
        }
        boolean wide = WideVectorApiKernels.suitsProcessor();
        logger.log(
                System.Logger.Level.INFO,
                "Vectors on the Vector API, " + (wide ? 512 : 256) + " bits: the JVM has " + VectorModule.NAME);
        return wide ? new WideVectorApiKernels() : new VectorApiKernels();
    }
}
