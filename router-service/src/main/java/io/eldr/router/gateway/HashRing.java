package io.eldr.router.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A consistent ring: each of some names stands at many places of it, and a key belongs to the next name after its own
 * place, so that few keys move when a name comes or goes (ELDR paper, the authors' proxy: 160 places each).
 */
final class HashRing {
    private static final int PLACES_EACH = 160;

    private final long[] places;
    private final int[] owners;

    HashRing(List<String> names) {
        record Place(long hash, int owner) {}
        Place[] all = new Place[names.size() * PLACES_EACH];
        for (int n = 0; n < names.size(); n++) {
            for (int i = 0; i < PLACES_EACH; i++) {
                byte[] key = (names.get(n) + "#" + i).getBytes(StandardCharsets.UTF_8);
                all[n * PLACES_EACH + i] = new Place(hash(key), n);
            }
        }
        Arrays.sort(all, (a, b) -> {
            int byHash = Long.compareUnsigned(a.hash(), b.hash());
            return byHash != 0 ? byHash : Integer.compare(a.owner(), b.owner());
        });
        places = Arrays.stream(all).mapToLong(Place::hash).toArray();
        owners = Arrays.stream(all).mapToInt(Place::owner).toArray();
    }

    /** The position of the name that a key belongs to; there is at least one name. */
    int owner(byte[] key) {
        long hash = hash(key);
        int low = 0;
        int high = places.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(places[middle], hash) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return owners[low == places.length ? 0 : low];
    }

    /** FNV-1a, then the finaliser of SplitMix64, since FNV alone spreads short keys badly over a ring. */
    private static long hash(byte[] key) {
        long hash = 0xCBF29CE484222325L;
        for (byte b : key) {
            hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
        }
        hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
        return hash ^ (hash >>> 31);
    }
}
