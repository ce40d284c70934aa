package io.eldr.db.worker;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** Who declared a worker. */
public enum WorkerSource {
    /** The registry, by a call of an operator. */
    REGISTERED,
    /** A configuration file. */
    STATIC,
    /** The endpoints that Kubernetes lists. */
    KUBERNETES;

    @Converter
    static final class Code extends CodeConverter<WorkerSource> {
        Code() {
            super(WorkerSource.class);
        }
    }
}
