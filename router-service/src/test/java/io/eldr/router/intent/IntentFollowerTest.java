package io.eldr.router.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Following and reporting, each of which may fail without the other. */
class IntentFollowerTest {

    private final Database database = new Database();
    private final Router router = new Router(database);

    @Test
    void aDatabaseThatTakesNoReportsIsFollowedAllTheSame() {
        database.reportsFail = true;
        try (IntentFollower follower = start()) {
            await().until(() -> database.heartbeats.get() >= 3);
            assertThat(follower.connected()).isTrue();
            assertThat(router.appliedUnconnected.get()).isZero();
            assertThat(database.statuses.get()).isZero();
            database.reportsFail = false;
            await().until(() -> database.statuses.get() == 1);
            assertThat(router.routersSeen).isEqualTo(1);
        }
    }

    @Test
    void aFailureOfAnyKindIsNoConnectionUntilTheNextAttemptGoesWell() {
        database.failure = Optional.of(new IllegalStateException("not foreseen"));
        try (IntentFollower follower = start()) {
            await().until(() -> database.reads.get() >= 3);
            assertThat(follower.connected()).isFalse();
            assertThat(database.heartbeats.get()).isZero();
            database.failure = Optional.empty();
            await().until(follower::connected);
            await().until(() -> database.statuses.get() == 1);
            database.failure = Optional.of(new IllegalStateException("again"));
            await().until(() -> !follower.connected());
            database.failure = Optional.empty();
            await().until(() -> database.statuses.get() == 2);
        }
    }

    private IntentFollower start() {
        IntentFollower follower =
                new IntentFollower(database, database, router, router, Duration.ofMillis(5), InstantSource.system());
        router.follower = Optional.of(follower);
        follower.start();
        return follower;
    }

    private static final class Database implements IntentSource, RouterReports {
        private final AtomicInteger reads = new AtomicInteger();
        private final AtomicInteger heartbeats = new AtomicInteger();
        private final AtomicInteger statuses = new AtomicInteger();
        private volatile boolean reportsFail;
        private volatile Optional<RuntimeException> failure = Optional.empty();

        @Override
        public Intent read() {
            reads.incrementAndGet();
            failure.ifPresent(thrown -> {
                throw thrown;
            });
            return Intent.NONE;
        }

        @Override
        public Optional<StoredArtifact> artifact(long poolId, int version) {
            return Optional.empty();
        }

        @Override
        public void heartbeat(Instant now) {
            heartbeats.incrementAndGet();
            if (reportsFail) {
                throw new IntentUnavailableException("read-only", new IllegalStateException());
            }
        }

        @Override
        public List<RouterHeartbeat> heartbeats() {
            return List.of(new RouterHeartbeat("other", Optional.empty(), Instant.EPOCH, Duration.ZERO));
        }

        @Override
        public void statuses(Collection<PoolStatus> all, Instant now) {
            statuses.incrementAndGet();
        }

        @Override
        public void observed(Collection<ObservedWorker> workers, Instant now) {}

        @Override
        public void withdraw() {}
    }

    /** Counts how often it was to follow intent while there was said to be no connection, but for the first time. */
    private static final class Router implements IntentFollower.Subject, HeartbeatObserver {
        private final Database database;
        private volatile Optional<IntentFollower> follower = Optional.empty();
        private final AtomicInteger appliedUnconnected = new AtomicInteger();

        private volatile int routersSeen;

        private Router(Database database) {
            this.database = database;
        }

        @Override
        public void apply(Intent intent) {
            if (database.reads.get() > 1 && !follower.orElseThrow().connected()) {
                appliedUnconnected.incrementAndGet();
            }
        }

        @Override
        public void seen(Collection<RouterHeartbeat> heartbeats) {
            routersSeen = heartbeats.size();
        }

        @Override
        public List<PoolStatus> statuses() {
            return List.of();
        }

        @Override
        public Collection<RouterReports.ObservedWorker> observed() {
            return List.of();
        }
    }
}
