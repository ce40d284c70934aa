package io.eldr.launcher.supervision;

import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Starts children, starts those again that die, and stops them in the reverse order of their start. Once stopped it
 * starts nothing any more.
 */
public final class Supervisor implements AutoCloseable {

    /** Lets time pass. */
    public interface Pause {
        void sleep(Duration duration) throws InterruptedException;
    }

    private final RestartPolicy policy;
    private final InstantSource clock;
    private final Pause pause;
    private final Console console;
    private final CompletableFuture<String> gaveUp = new CompletableFuture<>();

    /** In the order of their start; guarded by this. */
    private final List<Child> started = new ArrayList<>();

    private final Map<Child, Child.Running> running = new HashMap<>();
    private boolean stopped;

    public Supervisor(RestartPolicy policy, InstantSource clock, Pause pause, Console console) {
        this.policy = policy;
        this.clock = clock;
        this.pause = pause;
        this.console = console;
    }

    /**
     * Starts a child. Nobody watches it yet: until it is ready, its death is the caller's failure.
     *
     * @throws CommandFailedException if everything is being stopped
     */
    public synchronized Child.Running start(Child child) throws IOException {
        if (stopped) {
            throw new CommandFailedException("stopped while starting");
        }
        Child.Running life = child.start();
        started.remove(child);
        started.add(child);
        running.put(child, life);
        return life;
    }

    /** From now on starts the child again when it dies, as often as the policy allows. */
    public void watch(Child child) {
        Thread.ofVirtual().name("watch-" + child.name()).start(() -> {
            try {
                keepAlive(child);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Completes with the reason when a child died too often. */
    public CompletableFuture<String> gaveUp() {
        return gaveUp.copy();
    }

    /** Stops every child, the last one started first. */
    @Override
    public synchronized void close() {
        stopped = true;
        for (Child child : started.reversed()) {
            Optional.ofNullable(running.remove(child)).ifPresent(Child.Running::stop);
        }
        started.clear();
    }

    private void keepAlive(Child child) throws InterruptedException {
        RestartPolicy.History history = policy.begin(clock);
        Optional<Child.Running> life = current(child);
        while (life.isPresent()) {
            String end = life.get().awaitEnd();
            if (current(child).isEmpty()) {
                return;
            }
            console.logEndOf(child.log());
            console.log(child.name() + " ended (" + end + ")");
            life = restart(child, history);
        }
    }

    private Optional<Child.Running> restart(Child child, RestartPolicy.History history) throws InterruptedException {
        while (true) {
            Optional<Duration> delay = history.next();
            if (delay.isEmpty()) {
                gaveUp.complete(child.name() + " ended " + (policy.restarts() + 1) + " times within "
                        + policy.window().toSeconds() + " seconds; its log is " + child.log());
                return Optional.empty();
            }
            console.log("starting " + child.name() + " again in " + delay.get().toMillis() + " ms");
            pause.sleep(delay.get());
            synchronized (this) {
                if (stopped) {
                    return Optional.empty();
                }
                try {
                    Child.Running life = child.start();
                    running.put(child, life);
                    return Optional.of(life);
                } catch (IOException | CommandFailedException e) {
                    console.log(child.name() + " does not start: " + e.getMessage());
                }
            }
        }
    }

    private synchronized Optional<Child.Running> current(Child child) {
        return stopped ? Optional.empty() : Optional.ofNullable(running.get(child));
    }
}
