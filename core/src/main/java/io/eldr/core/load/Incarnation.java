package io.eldr.core.load;

import io.eldr.core.signature.InvalidInputException;

/**
 * One life of a decoder slot. A recreated pod has the same slot and another uid, and starts with no load; what its
 * predecessor still owes is never charged to it.
 *
 * @param slot the decoder's stable name in its pool
 * @param uid what tells this life from the others: a pod uid or a start counter
 */
public record Incarnation(String slot, String uid) {
    /** @throws InvalidInputException naming {@code slot} or {@code uid} if it is blank */
    public Incarnation {
        if (slot.isBlank()) {
            throw new InvalidInputException("slot", "must not be blank");
        }
        if (uid.isBlank()) {
            throw new InvalidInputException("uid", "must not be blank");
        }
    }

    @Override
    public String toString() {
        return slot + "#" + uid;
    }
}
