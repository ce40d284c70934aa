package io.eldr.router.pool;

import java.util.Map;

/** Where the newest decisions went. */
@FunctionalInterface
public interface RecentDecisions {

    /** How many of the newest decisions of a pool went to each decoder, by its id. */
    Map<String, Integer> perDecoder(String pool);
}
