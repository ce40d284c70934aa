package io.eldr.core.load;

import java.time.Instant;

/**
 * A lease's place in the order of expiry.
 *
 * @param key the reservation's
 * @param turn counts the leases of one reservation, so that no two of them have the same place
 */
record Due(Instant at, long key, int turn) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
        int byTime = at.compareTo(other.at);
        if (byTime != 0) {
            return byTime;
        }
        int byKey = Long.compare(key, other.key);
        return byKey != 0 ? byKey : Integer.compare(turn, other.turn);
    }
}
