package io.eldr.router.worker;

import java.time.Instant;

/**
 * An engine's load at a time.
 *
 * @param askedAt when the engine was asked, by this router's clock
 */
public record EngineSnapshot(EngineLoad load, Instant askedAt) {}
