package io.eldr.router.web;

import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.TestRouter.Answer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status page and the health paths. */
class PageTest {

    @Test
    void thePageRunsNoScriptButItsOwn() {
        Answer page = ROUTER.send(ROUTER.request("/", Optional.empty()).GET());
        assertThat(page.text()).contains("status.js", "status.css").doesNotContain("<script>", "style=", "onclick");
        assertThat(page.response()
                        .headers()
                        .firstValue("Content-Security-Policy")
                        .orElseThrow())
                .contains("default-src 'none'", "script-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.response().headers().firstValue("X-Content-Type-Options"))
                .contains("nosniff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/status.js", "/comparison.js"})
    void theScriptPutsAnswersInAsTextOnly(String path) {
        Answer script = ROUTER.send(ROUTER.request(path, Optional.empty()).GET());
        assertThat(script.text()).contains("textContent").doesNotContain("innerHTML", "outerHTML", "insertAdjacent");
    }

    @Test
    void itIsLiveAndReady() {
        assertThat(ROUTER.get("/livez").status()).isEqualTo(200);
        // A router that just started is not ready yet.
        await().untilAsserted(() -> {
            Answer ready = ROUTER.get("/readyz");
            assertThat(ready.status()).isEqualTo(200);
            assertThat(ready.json().path("status").asString()).isEqualTo("ready");
            assertThat(ready.json().path("postgres").asString()).isEqualTo("connected");
        });
    }
}
