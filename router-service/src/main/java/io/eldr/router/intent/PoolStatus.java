package io.eldr.router.intent;

import java.util.Optional;

/**
 * What this router runs for a pool.
 *
 * @param running empty while requests go by load alone
 * @param source where the running artifact came from
 * @param refused the activation it did not follow, and why
 */
public record PoolStatus(
        long poolId, String pool, Optional<Activation> running, Source source, Optional<Refusal> refused) {

    /** Where a running artifact came from. */
    public enum Source {
        POSTGRES,
        DISK,
        NONE
    }

    /** @param generation the activation that was refused */
    public record Refusal(long generation, String reason) {}
}
