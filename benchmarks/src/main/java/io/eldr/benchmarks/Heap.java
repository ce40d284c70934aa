package io.eldr.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/** How much memory the heap has held. */
final class Heap {
    private Heap() {}

    static void resetPeak() {
        pools().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    /** The sum of the peaks of the heap's areas since the reset: no less than the heap's own peak. */
    static long peakMiB() {
        return pools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() >> 20;
    }

    private static List<MemoryPoolMXBean> pools() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
    }
}
