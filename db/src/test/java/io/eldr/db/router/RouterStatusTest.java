package io.eldr.db.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.db.RegistryTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;

class RouterStatusTest extends RegistryTest {
    @Autowired
    private RouterInstanceRepository routers;

    @Autowired
    private RouterPoolStatusRepository statuses;

    private final String router = "router-" + UUID.randomUUID();

    @Test
    void showsWhatEachRouterRunsAndWhatItRefused() {
        long pool = newPool().id();
        heartbeat();
        report(pool, "4, 2, 'postgres', 5, 'checksum is wrong'");

        RouterPoolStatus status = statuses.findByPoolIdOrderByRouterId(pool).getFirst();
        assertThat(status.routerId()).isEqualTo(router);
        assertThat(status.generation()).hasValue(4);
        assertThat(status.artifactVersion()).hasValue(2);
        assertThat(status.source()).isEqualTo(ArtifactSource.POSTGRES);
        assertThat(status.nack()).contains(new RouterPoolStatus.Nack(5, "checksum is wrong"));
        assertThat(statuses.findByRouterIdOrderByPoolId(router)).hasSize(1);
        assertThat(routers.findByLastSeenGreaterThanEqualOrderById(NOON))
                .extracting(RouterInstance::id)
                .contains(router);
        assertThat(routers.findByLastSeenGreaterThanEqualOrderById(NOON.plusSeconds(1)))
                .extracting(RouterInstance::id)
                .doesNotContain(router);
    }

    @Test
    void showsARouterThatHasNoArtifact() {
        long pool = newPool().id();
        heartbeat();
        report(pool, "null, null, 'none', null, null");
        RouterPoolStatus status = statuses.findByPoolIdOrderByRouterId(pool).getFirst();
        assertThat(status.generation()).isEmpty();
        assertThat(status.nack()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4, 2, 'none', null, null",
                "null, null, 'postgres', null, null",
                "4, null, 'disk', null, null",
                "4, 2, 'postgres', 5, null",
                "4, 2, 'postgres', null, 'why'",
                "4, 2, 'elsewhere', null, null"
            })
    void refusesReportsThatContradictThemselves(String report) {
        long pool = newPool().id();
        heartbeat();
        assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(() -> report(pool, report));
    }

    private void heartbeat() {
        jdbc.sql("insert into router_instance values (?, 'http://r:8080', timestamptz '2026-03-01T11:00:00Z',"
                        + " timestamptz '2026-03-01T12:00:00Z')")
                .param(router)
                .update();
    }

    private void report(long pool, String values) {
        jdbc.sql("insert into router_pool_status values (?, ?, " + values + ", now())")
                .params(router, pool)
                .update();
    }
}
