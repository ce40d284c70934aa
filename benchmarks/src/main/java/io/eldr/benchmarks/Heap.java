package io.eldr.benchmarks;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * The most that the heap holds, garbage included. Between two collections it only grows, so it is highest when one begins,
 * or at the end. The peaks that the JVM keeps for each area of the heap would say too much, being of different moments.
 */
final class Heap implements AutoCloseable {
    private final Set<String> areas = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());
    private final AtomicLong peak = new AtomicLong();
    private final NotificationListener listener = (notification, _) -> collected(notification);

    private Heap() {}

    /** Watches it until it is closed. */
    static Heap watch() {
        Heap heap = new Heap();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(heap.listener, null, null);
            }
        }
        return heap;
    }

    long peakMiB() {
        long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return Math.max(peak.get(), now) >> 20;
    }

    private void collected(Notification notification) {
        if (notification.getUserData() instanceof CompositeData data
                && notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            long before =
                    GarbageCollectionNotificationInfo.from(data)
                            .getGcInfo()
                            .getMemoryUsageBeforeGc()
                            .entrySet()
                            .stream()
                            .filter(area -> areas.contains(area.getKey()))
                            .mapToLong(area -> area.getValue().getUsed())
                            .sum();
            peak.accumulateAndGet(before, Math::max);
        }
    }

    @Override
    public void close() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                try {
                    emitter.removeNotificationListener(listener);
                } catch (ListenerNotFoundException e) {
                    throw new IllegalStateException("the listener was added when watching began", e);
                }
            }
        }
    }
}
