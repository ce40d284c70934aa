package io.eldr.router.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.router.intent.RouterHeartbeat;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReplicasTest {

    private static final Optional<URI> URL = Optional.of(URI.create("http://10.0.0.1:8080"));
    private static final Instant SKEWED = Instant.parse("1999-01-01T00:00:00Z");

    private final AtomicInteger routers = new AtomicInteger();
    private Instant now = Instant.EPOCH;
    private final Replicas replicas = new Replicas("self", Duration.ofSeconds(10), () -> now, routers::set);

    @Test
    void aRouterLivesWhileItsHeartbeatChanges() {
        for (int i = 0; i < 10; i++) {
            seen(heartbeat("other", SKEWED.plusSeconds(i), 0));
            assertThat(replicas.find("other")).map(Replicas.Replica::url).contains(URL);
            assertThat(routers).hasValue(2);
            now = now.plusSeconds(5);
        }
        seen(heartbeat("other", SKEWED.plusSeconds(9), 0));
        assertThat(routers).hasValue(2);
        now = now.plusSeconds(5);
        seen(heartbeat("other", SKEWED.plusSeconds(9), 0));
        assertThat(routers).hasValue(1);
        assertThat(replicas.find("other")).isEmpty();
        seen(heartbeat("other", SKEWED.plusSeconds(99), 0));
        assertThat(routers).hasValue(2);
    }

    @Test
    void aRouterThatDiedBeforeThisOneStartedDoesNotCount() {
        seen(heartbeat("self", SKEWED, 0), heartbeat("dead", SKEWED, 11), heartbeat("alive", SKEWED, 9));

        assertThat(replicas.liveRouters()).isEqualTo(2);
        assertThat(replicas.find("dead")).isEmpty();
        assertThat(replicas.find("alive")).isPresent();
        assertThat(replicas.find("self")).isEmpty();
        assertThat(replicas.isSelf("self")).isTrue();
    }

    @Test
    void aRouterWhoseRowIsGoneIsGone() {
        seen(heartbeat("other", SKEWED, 0));
        seen();

        assertThat(routers).hasValue(1);
    }

    @Test
    void whileNoHeartbeatsAreReadNobodyDies() {
        seen(heartbeat("other", SKEWED, 0));
        now = now.plusSeconds(3_600);

        assertThat(replicas.find("other")).isPresent();
        assertThat(replicas.liveRouters()).isEqualTo(2);
    }

    @Test
    void aPauseInWhichNoHeartbeatsWereReadIsNobodysSilence() {
        seen(heartbeat("other", SKEWED, 0));
        now = now.plusSeconds(3);
        seen(heartbeat("other", SKEWED, 3));
        now = now.plusSeconds(60);
        seen(heartbeat("other", SKEWED, 63));
        assertThat(routers).as("read before the other could write").hasValue(2);

        now = now.plusSeconds(2);
        seen(heartbeat("other", SKEWED, 65));
        assertThat(routers).as("it had its time, half of it in the pause").hasValue(1);
    }

    private void seen(RouterHeartbeat... heartbeats) {
        replicas.seen(List.of(heartbeats));
    }

    private static RouterHeartbeat heartbeat(String id, Instant lastSeen, int age) {
        return new RouterHeartbeat(id, URL, lastSeen, Duration.ofSeconds(age));
    }
}
