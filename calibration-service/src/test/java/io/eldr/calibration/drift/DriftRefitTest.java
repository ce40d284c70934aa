package io.eldr.calibration.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestPostgres;
import io.eldr.service.testing.Monitoring;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

class DriftRefitTest {
    /** Refuses the first wish and takes the others. */
    static final class Wishes implements DriftRefits {
        private final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public boolean request(String pool, String why) {
            heard.add(pool + ": " + why);
            return heard.size() > 1;
        }
    }

    static class Replacement {
        @Bean
        @Primary
        Wishes wishes() {
            return new Wishes();
        }
    }

    @Test
    void anAlarmAsksForOneRefitAndShowsInTheMetrics() {
        try (TestServer server = TestServer.start(
                TestPostgres.freshDatabase().springProperties(),
                List.of(Replacement.class),
                "eldr.calibration.drift.window=100")) {
            ApiClient operator = server.as(TestToken.OPERATOR);
            TestPool pool = TestPool.create(server).withDecoders(4).withSamples(400);
            operator.refit(pool.name(), "{}");
            Observer router = Observer.of(server.as(TestToken.CLIENT), pool, "router-1");
            List<String> wishes = server.bean(Wishes.class).heard;
            router.shifted(100);
            router.shifted(100);
            assertThat(wishes).isEmpty();
            assertThat(value(server, "eldr_drift_alarm", pool)).isZero();
            router.shifted(100);
            assertThat(wishes).singleElement().asString().startsWith(pool.name() + ": drift from version 1: PSI ");
            assertThat(operator.get(pool.path() + "/drift")
                            .json()
                            .path("refitRequested")
                            .asBoolean())
                    .isFalse();
            router.shifted(100);
            router.shifted(100);
            assertThat(wishes).hasSize(2);
            assertThat(operator.get(pool.path() + "/drift")
                            .json()
                            .path("refitRequested")
                            .asBoolean())
                    .isTrue();
            assertThat(value(server, "eldr_drift_alarm", pool)).isOne();
            assertThat(value(server, "eldr_drift_psi", pool)).isGreaterThan(1);
            assertThat(value(server, "eldr_drift_ks", pool)).isBetween(0.0, 0.1);
            assertThat(Monitoring.missing(Set.of("eldr_drift_"), page(server))).isEmpty();

            server.as(TestToken.ADMIN).delete(pool.path()).expect(204);
            await().atMost(Duration.ofSeconds(60)).until(() -> value(server, "eldr_drift_alarm", pool) < 0);
        }
    }

    /** -1 where there is no such series. */
    private static double value(TestServer server, String meter, TestPool pool) {
        String series = meter + "{pool=\"" + pool.name() + "\"} ";
        return page(server)
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                .findFirst()
                .orElse(-1);
    }

    private static String page(TestServer server) {
        URI uri = URI.create("http://127.0.0.1:" + server.managementPort() + "/actuator/prometheus");
        return new String(ApiClient.send(HttpRequest.newBuilder(uri)).response().body(), StandardCharsets.UTF_8);
    }
}
