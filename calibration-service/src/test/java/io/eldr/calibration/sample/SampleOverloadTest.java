package io.eldr.calibration.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.calibration.testing.TestServer;
import io.eldr.calibration.testing.TestToken;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.net.URI;
import java.net.http.HttpRequest;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class SampleOverloadTest {
    @Test
    void slowIntakesNeitherLookLikeAnOutageNorTakeAllConnections() throws Exception {
        TestDatabase database = TestPostgres.freshDatabase();
        try (TestServer server = TestServer.start(database, "spring.datasource.hikari.maximum-pool-size=5");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection operator = database.dataSource().getConnection();
                Statement statement = operator.createStatement()) {
            TestPool pool = TestPool.create(server);
            ApiClient client = server.as(TestToken.CLIENT);
            operator.setAutoCommit(false);
            statement.execute("lock table sample in access exclusive mode");
            List<Future<ApiClient.Answer>> slow = IntStream.range(0, 4)
                    .mapToObj(i -> threads.submit(
                            () -> client.postSamples(pool.name(), TestPool.lines("slow-" + i, 3, j -> true))))
                    .toList();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> JdbcClient.create(database.dataSource())
                                    .sql("""
                                            select count(*) from pg_locks where not granted
                                              and relation = 'sample'::regclass
                                              and database = (select oid from pg_database where datname = current_database())""")
                                    .query(Long.class)
                                    .single()
                            == 4);
            ApiClient.Answer refused = client.postSamples(pool.name(), TestPool.lines("one-more", 3, j -> true))
                    .expectProblem(503, "unavailable");
            assertThat(refused.header("Retry-After")).isNotEmpty();
            server.as(TestToken.VIEWER).get(pool.path()).expect(200);
            ApiClient.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/readyz")))
                    .expect(200);
            operator.rollback();
            for (Future<ApiClient.Answer> answer : slow) {
                answer.get().expect(200);
            }
        }
    }
}
