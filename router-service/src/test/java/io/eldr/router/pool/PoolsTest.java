package io.eldr.router.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.load.LoadLedger;
import io.eldr.router.discovery.WorkerDiscovery;
import io.eldr.router.intent.Activation;
import io.eldr.router.intent.Intent;
import io.eldr.router.intent.IntentSource;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.PoolStatus;
import io.eldr.router.intent.StoredArtifact;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.TestWorkers;
import io.eldr.router.worker.WorkerStandings;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Following intent where something unforeseen fails. */
class PoolsTest {

    private static final int FAILING = 2;
    private static final byte[] CONTENT = ArtifactCodec.encode(Fixtures.artifact(1, 2));
    private static final String SHA256 = ArtifactCodec.sha256Hex(CONTENT);

    private final LoadLedger ledger = new LoadLedger();
    private final PoolEnvironment environment =
            new PoolEnvironment(ledger, WorkerDiscovery.NONE, Optional.empty(), InstantSource.system());
    private final WorkerStandings standings = TestWorkers.standings(ledger);
    private final Pools pools =
            new Pools(new Source(), environment, standings, Optional.empty(), new Silent(), InstantSource.system());

    @AfterEach
    void close() {
        standings.close();
    }

    @Test
    void aPoolThatCannotBeFollowedKeepsWhatItServesAndTheOthersAreFollowed() {
        pools.apply(new Intent(List.of(pool(1, "a", 1), pool(2, "b", 1))));
        pools.apply(new Intent(List.of(pool(1, "a", FAILING), pool(2, "b", 3))));
        assertThat(pools.statuses()).extracting(PoolStatus::pool).containsExactly("a", "b");
        PoolStatus failed = pools.statuses().getFirst();
        assertThat(failed.running().orElseThrow().version()).isEqualTo(1);
        assertThat(failed.refused().orElseThrow().generation()).isEqualTo(FAILING);
        assertThat(failed.refused().orElseThrow().reason()).startsWith("the router failed: ");
        PoolStatus followed = pools.statuses().getLast();
        assertThat(followed.running().orElseThrow().version()).isEqualTo(3);
        assertThat(followed.refused()).isEmpty();
    }

    @Test
    void aNewPoolWhoseArtifactCannotBeReadGoesByLoad() {
        pools.apply(new Intent(List.of(pool(1, "a", FAILING), pool(2, "b", 1))));
        Pool byLoad = pools.find("a").orElseThrow();
        assertThat(byLoad.state().artifact()).isEmpty();
        assertThat(byLoad.state().rows()).hasSize(1);
        assertThat(byLoad.state().degraded()).isTrue();
        assertThat(pools.find("b").orElseThrow().state().artifact()).isPresent();
    }

    private static PoolIntent pool(long id, String name, int version) {
        return new PoolIntent(
                id,
                name,
                Fixtures.MODEL,
                "eldr",
                OptionalDouble.empty(),
                OptionalInt.empty(),
                List.of(new WorkerIntent(
                        "decoder-0",
                        "u",
                        WorkerIntent.Role.DECODE,
                        "http://127.0.0.1:1",
                        1,
                        OptionalInt.empty(),
                        WorkerIntent.Probe.NONE,
                        false,
                        Optional.empty())),
                Optional.of(new Activation(version, version, SHA256)));
    }

    private static final class Source implements IntentSource {
        @Override
        public Intent read() {
            return Intent.NONE;
        }

        @Override
        public Optional<StoredArtifact> artifact(long poolId, int version) {
            if (version == FAILING) {
                throw new IllegalStateException("not foreseen");
            }
            return Optional.of(new StoredArtifact(CONTENT, SHA256));
        }
    }

    private static final class Silent implements PoolObserver {
        @Override
        public void added(Pool pool) {}

        @Override
        public void changed(Pool pool) {}

        @Override
        public void removed(String pool) {}

        @Override
        public void refused(String pool) {}
    }
}
