package io.eldr.router.route;

import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.Registry;
import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Decisions over HTTP. */
class RouteTest {

    private static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    private static final Registry REGISTRY = new Registry(DATABASE);

    private static RoutingArtifact artifact;
    private static TestRouter router;

    @BeforeAll
    static void start() {
        artifact = REGISTRY.servingPool("demo", 5);
        router = TestRouter.start(DATABASE.springProperties());
        await().until(() ->
                router.get("/v1/pools/demo/artifact").json().path("version").asInt(0) == 1);
    }

    @AfterAll
    static void stop() {
        router.close();
    }

    @Test
    void sendsARequestToTheDecoderNearestToItsExperts() {
        ExpertCounts counts = Fixtures.counts(3, 10);
        Answer answer = router.post(
                "/v1/route", body("demo", "first", "signature", Map.of("eldr_sig", EldrSigForm.write(counts))));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(artifact.clusters()).isEqualTo(5);
        System.out.println(answer.text());
        System.out.println(router.get("/v1/decisions/first").text());
        System.out.println(router.get("/v1/pools").text());
        System.out.println(router.get("/v1/pools/demo/decoders").text());
        System.out.println(router.get("/v1/pools/demo/artifact").text());
        System.out.println(router.get("/readyz").text());
    }
}
