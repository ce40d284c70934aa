package io.eldr.router.intent;

import java.util.Optional;

/** Where intent and artifacts are read. Calls block, and fail with {@link IntentUnavailableException} while it is away. */
public interface IntentSource {

    /** Everything that is wanted now, from one consistent view. */
    Intent read();

    /** An artifact of a pool; empty if there is no such version. */
    Optional<StoredArtifact> artifact(long poolId, int version);
}
