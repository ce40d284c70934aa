package io.eldr.router.intent;

import org.springframework.context.SmartLifecycle;

/** Starts to follow intent before the first request is taken, without waiting for Postgres, and stops after the last. */
final class IntentLifecycle implements SmartLifecycle {

    private final IntentFollower follower;
    private final IntentNotifications notifications;
    private volatile boolean running;

    IntentLifecycle(IntentFollower follower, IntentNotifications notifications) {
        this.follower = follower;
        this.notifications = notifications;
    }

    @Override
    public void start() {
        running = true;
        follower.start();
        notifications.start();
    }

    @Override
    public void stop() {
        running = false;
        notifications.close();
        follower.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the web server starts (its phases are near the maximum), so it stops after it. */
    @Override
    public int getPhase() {
        return 0;
    }
}
