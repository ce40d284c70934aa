package io.eldr.db.worker;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** What the operator wants of a worker. */
public enum DesiredState {
    SERVING,
    /** It finishes what runs and gets nothing new. */
    DRAINING;

    @Converter
    static final class Code extends CodeConverter<DesiredState> {
        Code() {
            super(DesiredState.class);
        }
    }
}
