package io.eldr.router.discovery;

import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the endpoint slices that a selector names, on a thread of its own: lists them, watches from there, and lists again
 * whenever the watch ends for whatever reason (closed, broken, 410 Gone) and after a fixed time even if it seems alive. So
 * an event that was lost costs no more than that time. While the cluster cannot be reached, what was known last stays.
 */
final class SliceFollower implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SliceFollower.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** What the watch says; none of slice and action where it ended. */
    private record Event(
            Watcher.@Nullable Action action, @Nullable EndpointSlice slice) {
        static final Event ENDED = new Event(null, null);
    }

    private final String name;
    private final FilterWatchListDeletable<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> slices;
    private final Duration relist;
    private final Consumer<Collection<EndpointSlice>> onSlices;
    private final Thread thread;
    private volatile boolean asked;
    private boolean connected;
    private Duration pause = FIRST_PAUSE;

    /**
     * @param name for the log
     * @param relist the longest time between two lists
     * @param onSlices takes all slices after each change
     */
    SliceFollower(
            String name,
            FilterWatchListDeletable<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> slices,
            Duration relist,
            Consumer<Collection<EndpointSlice>> onSlices) {
        this.name = name;
        this.slices = slices;
        this.relist = relist;
        this.onSlices = onSlices;
        this.thread = Thread.ofVirtual().name("slices-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Whether the cluster was asked once, and answered or failed. */
    boolean asked() {
        return asked;
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    follow();
                } catch (KubernetesClientException e) {
                    failed(e);
                } catch (RuntimeException e) {
                    log.error("{} cannot be followed; trying again", name, e);
                }
                asked = true;
                Thread.sleep(ThreadLocalRandom.current().nextLong(pause.toMillis() / 2, pause.toMillis() + 1));
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void failed(KubernetesClientException failure) {
        if (connected || !asked) {
            log.warn("{} cannot be reached, its workers stay as they were: {}", name, failure.getMessage());
        }
        connected = false;
    }

    private void follow() throws InterruptedException {
        EndpointSliceList list = slices.list();
        if (!connected) {
            log.info("Following {}", name);
            connected = true;
        }
        Map<String, EndpointSlice> known = new HashMap<>();
        list.getItems().forEach(slice -> known.put(slice.getMetadata().getName(), slice));
        onSlices.accept(List.copyOf(known.values()));
        asked = true;
        BlockingQueue<Event> events = new LinkedBlockingQueue<>();
        ListOptions from = new ListOptionsBuilder()
                .withResourceVersion(list.getMetadata().getResourceVersion())
                .withTimeoutSeconds(relist.toSeconds() + 1)
                .build();
        Watch watch = slices.watch(from, new Recorder(events));
        try {
            long until = System.nanoTime() + relist.toNanos();
            boolean goesOn = true;
            while (goesOn) {
                Event event = events.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                goesOn = event != null && take(event, known);
            }
        } finally {
            watch.close();
        }
    }

    /** @return whether the watch goes on */
    private boolean take(Event event, Map<String, EndpointSlice> known) {
        EndpointSlice slice = event.slice();
        if (event.action() == null || slice == null) {
            return false;
        }
        switch (event.action()) {
            case ADDED, MODIFIED -> known.put(slice.getMetadata().getName(), slice);
            case DELETED -> known.remove(slice.getMetadata().getName());
            case BOOKMARK -> {
                return true;
            }
            case ERROR -> {
                return false;
            }
        }
        pause = FIRST_PAUSE;
        onSlices.accept(List.copyOf(known.values()));
        return true;
    }

    /** Hands events over to the follower's thread. */
    private record Recorder(BlockingQueue<Event> events) implements Watcher<EndpointSlice> {
        @Override
        public boolean reconnecting() {
            return false;
        }

        @Override
        public void eventReceived(Action action, EndpointSlice slice) {
            events.add(new Event(action, slice));
        }

        @Override
        public void onClose() {
            events.add(Event.ENDED);
        }

        @Override
        public void onClose(WatcherException cause) {
            log.debug("A watch ended", cause);
            events.add(Event.ENDED);
        }
    }
}
