package io.eldr.launcher.supervision;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A child without a process, which dies when a test says so. */
final class FakeChild implements Child {

    private final String name;
    private final Path log;
    private final List<String> events;
    private final BlockingQueue<FakeLife> lives = new LinkedBlockingQueue<>();
    private volatile boolean startable = true;

    /** @param events where starts and stops are written to; shared between children to see their order */
    FakeChild(String name, Path log, List<String> events) {
        this.name = name;
        this.log = log;
        this.events = events;
    }

    void refuseToStart() {
        startable = false;
    }

    /** The next life that was begun; waits for it. */
    FakeLife nextLife() throws InterruptedException {
        return lives.take();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Path log() {
        return log;
    }

    @Override
    public Running start() throws IOException {
        events.add("start " + name);
        if (!startable) {
            throw new IOException("no such program");
        }
        FakeLife life = new FakeLife();
        lives.add(life);
        return life;
    }

    final class FakeLife implements Running {
        private final CountDownLatch end = new CountDownLatch(1);

        void die() {
            end.countDown();
        }

        @Override
        public boolean isAlive() {
            return end.getCount() > 0;
        }

        @Override
        public String awaitEnd() throws InterruptedException {
            end.await();
            return "exit code 137";
        }

        @Override
        public void stop() {
            events.add("stop " + name);
            end.countDown();
        }
    }
}
