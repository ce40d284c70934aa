package io.eldr.db.pool;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** What becomes of a refit's artifact. */
public enum PoolMode {
    /** It is activated when it is published. */
    AUTOMATIC,
    /** It waits for somebody to approve it. */
    PROPOSE;

    @Converter
    static final class Code extends CodeConverter<PoolMode> {
        Code() {
            super(PoolMode.class);
        }
    }
}
