package io.eldr.router.intent;

import java.util.Collection;

/** Hears of the routers' signs of life, this one's among them, each time they were read. */
public interface HeartbeatObserver {

    /** These are all there are. */
    void seen(Collection<RouterHeartbeat> heartbeats);
}
