package io.eldr.admin.passage;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.admin.testing.Browser;
import io.eldr.admin.testing.FakeService;
import io.eldr.admin.testing.TestAdmin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PassageTest {
    private static final String CALIBRATION = "/api/calibration";

    private final TestAdmin admin = TestAdmin.shared();
    private final FakeService calibration = TestAdmin.sharedCalibration();

    /** What a role may do: y passes it on, n is refused with 403, - is not passed on for anybody. */
    @ParameterizedTest
    @CsvSource({
        "GET,    /v1/audit,                            y, y, y",
        "GET,    /v1/pools,                            y, y, y",
        "GET,    /v1/pools/p/artifacts/1/binary,       y, y, y",
        "POST,   /v1/pools/p/activations,              n, y, y",
        "POST,   /v1/pools/p/rollback,                 n, y, y",
        "POST,   /v1/pools/p/artifacts,                n, y, y",
        "POST,   /v1/pools/p/refits,                   n, y, y",
        "POST,   /v1/pools/p/refits/7/approve,         n, y, y",
        "POST,   /v1/pools/p/refits/7/cancel,          n, y, y",
        "POST,   /v1/pools/p/refits/7/dismiss,         n, y, y",
        "PUT,    /v1/pools/p/workers/d-0,              n, y, y",
        "DELETE, /v1/pools/p/workers/d-0,              n, y, y",
        "POST,   /v1/pools/p/workers/d-0/drain,        n, y, y",
        "POST,   /v1/pools/p/workers/d-0/resume,       n, y, y",
        "POST,   /v1/pools,                            n, n, y",
        "PATCH,  /v1/pools/p,                          n, y, y",
        "DELETE, /v1/pools/p,                          n, n, y",
        "POST,   /v1/pools/p/samples,                  -, -, -",
        "POST,   /v1/pools/p/observations,             -, -, -",
        "GET,    /livez,                               -, -, -",
        "PUT,    /v1/pools/p,                          -, -, -",
    })
    void passesOnWhatTheRoleAllows(String method, String path, String viewer, String operator, String admin) {
        calibration.on(method + " " + path, "{\"did\":\"it\"}");

        expect("viewer", method, path, viewer);
        expect("operator", method, path, operator);
        expect("admin", method, path, admin);
    }

    private void expect(String user, String method, String path, String wanted) {
        int before = calibration.calls(method, path).size();
        String body = method.equals("GET") || method.equals("DELETE") ? "" : "{}";

        Browser.Answer answer = admin.browserOf(user).call(method, CALIBRATION + path, body);

        int reached = calibration.calls(method, path).size() - before;
        switch (wanted) {
            case "y" -> {
                assertThat(answer.expect(200).text()).isEqualTo("{\"did\":\"it\"}");
                assertThat(reached).isEqualTo(1);
            }
            case "n" -> {
                answer.expectProblem(403, "forbidden");
                assertThat(reached).isZero();
            }
            default -> {
                answer.expectProblem(404, "not-found");
                assertThat(reached).isZero();
            }
        }
    }

    @Test
    void namesTheUserAndTheRoleUnderItsOwnToken() {
        calibration.on("POST /v1/pools/named/rollback", "{}");

        Browser browser = admin.browserOf("operator");
        browser.send(browser.request(CALIBRATION + "/v1/pools/named/rollback")
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer forged")
                        .header("X-Eldr-Acting-User", "mallory")
                        .header("X-Eldr-Acting-Role", "admin")
                        .POST(BodyPublishers.ofString("{\"version\":3}")))
                .expect(200);

        FakeService.Call call =
                calibration.calls("POST", "/v1/pools/named/rollback").getFirst();
        assertThat(call.header("Authorization")).contains("Bearer " + TestAdmin.TOKEN);
        assertThat(call.header("X-Eldr-Acting-User")).contains("operator");
        assertThat(call.header("X-Eldr-Acting-Role")).contains("operator");
        assertThat(call.header("Cookie")).isEmpty();
        assertThat(call.body()).isEqualTo("{\"version\":3}");
    }

    @Test
    void nothingIsPassedOnWithoutALogin() {
        Browser browser = admin.browser();
        browser.session();

        browser.get(CALIBRATION + "/v1/pools").expectProblem(401, "unauthorized");
        browser.post(CALIBRATION + "/v1/pools/anonymous/rollback", "{}").expectProblem(401, "unauthorized");

        assertThat(calibration.calls("POST", "/v1/pools/anonymous/rollback")).isEmpty();
    }

    @Test
    void noChangeIsPassedOnWithoutTheCsrfToken() {
        Browser browser = admin.browserOf("admin").withoutCsrf();

        browser.post(CALIBRATION + "/v1/pools/forged/rollback", "{}").expectProblem(403, "forbidden");

        assertThat(calibration.calls("POST", "/v1/pools/forged/rollback")).isEmpty();
    }

    @Test
    void passesProblemsBackUnchanged() {
        String conflict =
                "{\"type\":\"https://eldr.io/problems/conflict\",\"title\":\"The change conflicts\",\"status\":409,"
                        + "\"detail\":\"The pool is at generation 8.\",\"generation\":8}";
        calibration.on("POST /v1/pools/raced/activations", 409, "application/problem+json", conflict);

        Browser.Answer answer = admin.browserOf("operator")
                .post(CALIBRATION + "/v1/pools/raced/activations", "{\"version\":2,\"expectedGeneration\":7}");

        assertThat(answer.expectProblem(409, "conflict").text()).isEqualTo(conflict);
    }

    @Test
    void queriesConditionsAndNewPlacesGoThrough() {
        calibration.on("GET /v1/pools/p/activations?limit=2&at=2026-01-01T00%3A00%3A00Z", "[]");
        calibration.on("POST /v1/pools/placed/refits", exchange -> {
            exchange.getResponseHeaders().set("Location", "/v1/pools/placed/refits/9");
            exchange.sendResponseHeaders(202, -1);
        });
        calibration.on("GET /v1/pools/p/artifacts/4/binary", exchange -> {
            assertThat(exchange.getRequestHeaders().getFirst("If-None-Match")).isEqualTo("\"abc\"");
            exchange.getResponseHeaders().set("ETag", "\"abc\"");
            exchange.sendResponseHeaders(304, -1);
        });
        Browser browser = admin.browserOf("operator");

        browser.get(CALIBRATION + "/v1/pools/p/activations?limit=2&at=2026-01-01T00%3A00%3A00Z")
                .expect(200);
        assertThat(browser.post(CALIBRATION + "/v1/pools/placed/refits", "{}")
                        .expect(202)
                        .header("location"))
                .isEqualTo(CALIBRATION + "/v1/pools/placed/refits/9");
        Browser.Answer known = browser.send(browser.request(CALIBRATION + "/v1/pools/p/artifacts/4/binary")
                .header("If-None-Match", "\"abc\"")
                .GET());
        assertThat(known.expect(304).header("etag")).isEqualTo("\"abc\"");
    }

    @Test
    void passesEventsOnAsTheyCome() throws IOException, InterruptedException {
        CountDownLatch firstWasSeen = new CountDownLatch(1);
        calibration.on("GET /v1/pools/p/refits/5/events", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write("data: first\n\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            try {
                if (!firstWasSeen.await(30, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            out.write("data: second\n\n".getBytes(StandardCharsets.UTF_8));
        });

        HttpResponse<InputStream> answer = admin.browserOf("viewer").open(CALIBRATION + "/v1/pools/p/refits/5/events");

        assertThat(answer.headers().firstValue("content-type")).contains("text/event-stream");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("data: first");
            firstWasSeen.countDown();
            assertThat(lines.readLine()).isEmpty();
            assertThat(lines.readLine()).isEqualTo("data: second");
        }
    }

    @Test
    void aServiceThatIsAwayIsAProblemThatSaysSo() {
        URI away;
        try (FakeService gone = FakeService.start()) {
            away = gone.address();
        }
        try (TestAdmin own = TestAdmin.start(away)) {
            Browser browser = own.browserOf("viewer");

            Browser.Answer answer = browser.get(CALIBRATION + "/v1/pools").expectProblem(503, "unavailable");

            assertThat(answer.json().path("detail").asString()).contains("cannot be reached");
            assertThat(answer.header("retry-after")).isEqualTo("2");
        }
    }

    @Test
    void routersAreReachedByTheirName() {
        try (FakeService router = FakeService.start();
                FakeService registry = FakeService.start();
                TestAdmin own = TestAdmin.start(
                        registry.address(),
                        "eldr.admin.routers[0].name=router-a",
                        "eldr.admin.routers[0].url=" + router.address())) {
            router.on("GET /v1/pools/p/switchback", "{\"pool\":\"p\"}");
            Browser browser = own.browserOf("viewer");

            assertThat(browser.get("/api/routers/router-a/v1/pools/p/switchback")
                            .expect(200)
                            .text())
                    .isEqualTo("{\"pool\":\"p\"}");
            browser.get("/api/routers/router-b/v1/pools/p/switchback").expectProblem(404, "not-found");
            own.browserOf("admin").post("/api/routers/router-a/v1/route", "{}").expectProblem(404, "not-found");
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsPassedOn() {
        try (TestAdmin own = TestAdmin.start(calibration.address(), "eldr.admin.calls.max-body=1KB")) {
            own.browserOf("operator")
                    .post(CALIBRATION + "/v1/pools/large/rollback", "x".repeat(1_025))
                    .expectProblem(413, "too-large");

            assertThat(calibration.calls("POST", "/v1/pools/large/rollback")).isEmpty();
        }
    }
}
