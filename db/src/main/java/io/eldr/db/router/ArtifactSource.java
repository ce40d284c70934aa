package io.eldr.db.router;

import io.eldr.db.mapping.CodeConverter;
import jakarta.persistence.Converter;

/** Where the artifact that a router runs came from. */
public enum ArtifactSource {
    POSTGRES,
    /** The last good snapshot of an earlier run. */
    DISK,
    /** It has none: requests go by load. */
    NONE;

    @Converter
    static final class Code extends CodeConverter<ArtifactSource> {
        Code() {
            super(ArtifactSource.class);
        }
    }
}
