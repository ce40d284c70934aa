package io.eldr.calibration.schema;

/** What cannot start before the registry is there. */
public interface RegistryDependent {
    /** Called once, when Postgres answers and its schema is there for the first time. */
    void registryIsThere();
}
