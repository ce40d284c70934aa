package io.eldr.router.intent;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Where this router says what it does. It writes its own rows and no others. Calls block and may fail like reads. */
public interface RouterReports {

    /** This router lives. */
    void heartbeat(Instant now);

    /** The last signs of life of all routers that gave one lately, this one among them. */
    List<RouterHeartbeat> heartbeats();

    /** What it runs, for all its pools; pools not among them are withdrawn. */
    void statuses(Collection<PoolStatus> statuses, Instant now);

    /** The workers it sees. */
    void observed(Collection<ObservedWorker> workers, Instant now);

    /** It stops in order. */
    void withdraw();

    /** A worker as this router sees it. */
    record ObservedWorker(long poolId, WorkerIntent worker) {}
}
