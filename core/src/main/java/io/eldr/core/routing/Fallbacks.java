package io.eldr.core.routing;

import java.util.ArrayList;
import java.util.List;

/** The best few decoders of those that were offered, in order; groups follow one another. */
final class Fallbacks {
    private final int[] decoders = new int[Decision.MAX_FALLBACKS];
    private int size;
    private int groupStart;

    /** Which of two decoders comes first. */
    interface Order {
        boolean before(int a, int b);
    }

    void offer(int decoder, Order order) {
        int at = size;
        while (at > groupStart && order.before(decoder, decoders[at - 1])) {
            at--;
        }
        if (at == decoders.length) {
            return;
        }
        int kept = Math.min(size, decoders.length - 1);
        System.arraycopy(decoders, at, decoders, at + 1, kept - at);
        decoders[at] = decoder;
        size = kept + 1;
    }

    /** What is offered from now on comes after everything offered before. */
    void nextGroup() {
        groupStart = size;
    }

    List<Decoder> of(PoolSnapshot snapshot) {
        List<Decoder> named = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            named.add(snapshot.decoder(decoders[i]));
        }
        return named;
    }
}
