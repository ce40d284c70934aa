package io.eldr.db.worker;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** How a router learns whether a worker is up. */
public enum Probe {
    /** By asking its health path. */
    HTTP,
    /** Not at all: it counts as up. */
    NONE;

    @Converter
    static final class Code extends CodeConverter<Probe> {
        Code() {
            super(Probe.class);
        }
    }
}
