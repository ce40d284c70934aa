package io.eldr.core.vector;

import java.util.Optional;

/**
 * The module of the Vector API. It incubates, and a JVM that is told of such a module at its start ({@code --add-modules})
 * archives neither its modules nor linked classes for the next start. Where starts count, the module is loaded when it is
 * first used: by the JDK's own way of adding modules to a running JVM, which is open to us only where the JVM was started
 * with {@code --add-exports=java.base/jdk.internal.module=ALL-UNNAMED}.
 */
final class VectorModule {
    static final String NAME = "jdk.incubator.vector";

    private VectorModule() {}

    /** Whether it is there, from the start or since now. */
    static boolean present() {
        Optional<Module> fromTheStart = ModuleLayer.boot().findModule(NAME);
        return fromTheStart.map(VectorModule.class.getModule()::canRead).orElseGet(VectorModule::load);
    }

    private static boolean load() {
        Module base = Object.class.getModule();
        if (!base.isExported("jdk.internal.module", VectorModule.class.getModule())) {
            return false;
        }
        try {
            Class.forName("jdk.internal.module.Modules")
                    .getMethod("loadModule", String.class)
                    .invoke(null, NAME);
            return true;
        } catch (ReflectiveOperationException e) {
            // A JVM without the module, or of another version.
            return false;
        }
    }
}
