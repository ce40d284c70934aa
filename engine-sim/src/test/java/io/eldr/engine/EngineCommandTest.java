package io.eldr.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(240)
class EngineCommandTest {
    private static final String OWN_TRACES = "../data/own/small-moe-28M/calibration";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    @Test
    void saysWhenAllWorkersAnswerAndStopsWithItsSupervisor() throws Exception {
        try (PipedInputStream in = new PipedInputStream()) {
            PipedOutputStream supervisor = new PipedOutputStream(in);
            CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> run(
                    in,
                    "--supervised",
                    "--prefill=1",
                    "--decode=2",
                    "--ports=0,0,0",
                    "--time-scale=0",
                    "--traces=" + OWN_TRACES));
            await().until(() -> text().endsWith("\n"));

            Matcher line = Pattern.compile("ready 1P2D decode (http://\\S+:\\d+),(http://\\S+:\\d+) prefill (\\S+)\n")
                    .matcher(text());
            assertThat(line.matches()).as(text()).isTrue();
            for (int worker = 1; worker <= 3; worker++) {
                assertThat(get(line.group(worker) + "/v1/models"))
                        .contains("\"small-moe (own, trained from scratch)\"");
            }
            supervisor.close();
            assertThat(exit.get()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--geometry=8x64 | --geometry: must be like 48x128x8 but is '8x64'",
                "--geometry=8x4x5 | topK: must be between 1 and 4",
                "--decode=0 | a cluster needs at least one worker",
                "--ports=0,0 | there are 2 ports for 1 workers",
                "--time-scale=-1 | time scale must be between 0 and 1000",
                "--max-sequences=0 | max sequences must be at least 1",
                "--lease-seconds=0 | lease must be positive",
                "--keep-alive-seconds=0 | keep-alive must be positive",
                "--traces=none | is not a directory",
                "--signature=morse | Invalid value for option '--signature'"
            })
    void saysWhatIsWrongWithAnOption(String option, String message) {
        int exit = run(new ByteArrayInputStream(new byte[0]), option);

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains(message);
        assertThat(text()).isEmpty();
    }

    private int run(InputStream in, String... arguments) {
        return new CommandLine(new EngineCommand(
                        InstantSource.system(), in, new PrintStream(out, true, StandardCharsets.UTF_8)))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler(EngineCommand::explain)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String get(String url) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
