package io.eldr.router.report;

import static io.eldr.router.testing.SharedRouter.CLOCK;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.net.http.HttpRequest;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What clients tell of their own requests. */
class ReportTest {

    private static final String CLIENTS = "/v1/pools/reported/clients";

    @BeforeAll
    static void pool() {
        SharedRouter.servingPool("reported", 2);
    }

    @Test
    void theNewestReportOfAClientIsShownUntilItIsSilent() {
        CLOCK.advance(ClientReports.FRESH.plusSeconds(1));
        assertThat(put("loader", "{\"completed\":1}").status()).isEqualTo(204);
        assertThat(put("loader", "{\"completed\":7,\"tpotP50Ms\":21.5,\"windowSeconds\":60}")
                        .status())
                .isEqualTo(204);
        JsonNode shown = ROUTER.get(CLIENTS).json().path("clients");
        assertThat(shown).hasSize(1);
        assertThat(shown.get(0).path("client").asString()).isEqualTo("loader");
        assertThat(shown.get(0).path("completed").asInt()).isEqualTo(7);
        assertThat(shown.get(0).path("tpotP50Ms").asDouble()).isEqualTo(21.5);
        assertThat(shown.get(0).has("tpotP99Ms")).isFalse();

        CLOCK.advance(ClientReports.FRESH.plusSeconds(1));

        assertThat(ROUTER.get(CLIENTS).json().path("clients")).isEmpty();
    }

    @Test
    void soManyClientsAreHeardAndNoMore() {
        CLOCK.advance(ClientReports.FRESH.plusSeconds(1));
        for (int i = 0; i < ClientReports.MAX_CLIENTS; i++) {
            assertThat(put("client-" + i, "{}").status()).isEqualTo(204);
        }
        assertThat(put("one-too-many", "{}").status()).isEqualTo(409);
        assertThat(put("client-3", "{}").status()).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x | {\"tpotP50Ms\":-1} | tpotP50Ms",
                "x | {\"tpotP99Ms\":1e300} | tpotP99Ms",
                "x | {\"windowSeconds\":0} | windowSeconds",
                "x | {\"completed\":-5} | completed",
                "x | {\"note\":7} | note",
                "x | {\"other\":1} | other",
                "a%20b | {} | client"
            })
    void aFigureThatIsNoneIsRefusedByName(String client, String body, String field) {
        Answer refused = put(client, body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("field").asString()).isEqualTo(field);
    }

    @Test
    void aPoolThatIsNotThereHasNoReports() {
        assertThat(ROUTER.get("/v1/pools/nobody/clients").status()).isEqualTo(404);
    }

    private static Answer put(String client, String body) {
        return ROUTER.send(ROUTER.request(CLIENTS + "/" + client, Optional.of(TestRouter.CLIENT))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body)));
    }
}
