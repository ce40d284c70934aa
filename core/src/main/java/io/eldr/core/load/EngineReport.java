package io.eldr.core.load;

import java.util.OptionalDouble;

/**
 * What a decoder's engine said of its load.
 *
 * @param requests running and waiting there, whoever sent them; 0 or more
 * @param ownThen this router's in-flight count there when it asked
 * @param kvUse the share of its KV cache in use, 0 to 1; empty where it does not say
 */
public record EngineReport(int requests, int ownThen, OptionalDouble kvUse) {
    /** A report of requests alone. */
    public static EngineReport of(int requests, int ownThen) {
        return new EngineReport(requests, ownThen, OptionalDouble.empty());
    }
}
