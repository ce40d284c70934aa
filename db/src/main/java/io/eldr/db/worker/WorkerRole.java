package io.eldr.db.worker;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** What a worker does. */
public enum WorkerRole {
    DECODE,
    PREFILL;

    @Converter
    static final class Code extends CodeConverter<WorkerRole> {
        Code() {
            super(WorkerRole.class);
        }
    }
}
