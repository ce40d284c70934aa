package io.eldr.db.activation;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** How a version came to be served. */
public enum ActivationKind {
    ACTIVATE,
    /** Back to a version that was there before. */
    ROLLBACK;

    @Converter
    static final class Code extends CodeConverter<ActivationKind> {
        Code() {
            super(ActivationKind.class);
        }
    }
}
