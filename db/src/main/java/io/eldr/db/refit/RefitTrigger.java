package io.eldr.db.refit;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** Why a refit was asked for. */
public enum RefitTrigger {
    MANUAL,
    CRON,
    DRIFT,
    /** The set of decoders changed. */
    TOPOLOGY,
    /** Enough new samples came in. */
    SAMPLES;

    @Converter
    static final class Code extends CodeConverter<RefitTrigger> {
        Code() {
            super(RefitTrigger.class);
        }
    }
}
