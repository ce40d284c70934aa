package io.eldr.calibration.schema;

/** Whether the registry can be used. */
public enum RegistryState {
    /** Nothing is known yet. */
    UNKNOWN,
    /** Postgres does not answer. */
    AWAY,
    /** Postgres answers, but migrations are missing. */
    NOT_MIGRATED,
    READY
}
