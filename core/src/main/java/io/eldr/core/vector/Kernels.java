package io.eldr.core.vector;

/** Holds the kernels of this JVM, chosen once when it is first used. */
final class Kernels {
    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    static final VectorKernels CHOSEN = choose();

    private Kernels() {}

    private static VectorKernels choose() {
        System.Logger logger = System.getLogger(Kernels.class.getName());
        if (!hasVectorApi()) {
            logger.log(
                    System.Logger.Level.INFO,
                    "Vectors in plain Java, several times slower: the JVM was started without --add-modules "
                            + VECTOR_MODULE);
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
                "Vectors on the Vector API, " + (wide ? 512 : 256) + " bits: the JVM has " + VECTOR_MODULE);
        return wide ? new WideVectorApiKernels() : new VectorApiKernels();
    }

    /** Whether {@link VectorApiKernels} can be loaded; to be asked before that class is touched. */
    static boolean hasVectorApi() {
        return ModuleLayer.boot()
                .findModule(VECTOR_MODULE)
                .map(Kernels.class.getModule()::canRead)
                .orElse(false);
    }
}
