package io.eldr.db.refit;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** What became of a version that was not activated by itself. */
public enum Proposal {
    /** Nobody has decided. */
    OPEN,
    APPROVED,
    DISMISSED;

    @Converter
    static final class Code extends CodeConverter<Proposal> {
        Code() {
            super(Proposal.class);
        }
    }
}
