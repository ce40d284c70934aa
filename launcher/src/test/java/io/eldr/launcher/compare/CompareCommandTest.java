package io.eldr.launcher.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.eldr.launcher.CommandLineRun;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command against a router that only pretends. */
class CompareCommandTest {
    private static final String TRACES = "../data/own/small-moe-28M/serving";
    private static final String POOLS = """
            {"pools":[{"name":"a","layers":8},{"name":"b","layers":8}]}""";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private ExecutorService threads;
    private HttpServer router;

    @BeforeEach
    void start() throws IOException {
        threads = Executors.newVirtualThreadPerTaskExecutor();
        router = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        router.setExecutor(threads);
        router.createContext("/", this::answer);
        router.start();
    }

    @AfterEach
    void stop() {
        router.stop(0);
        threads.close();
    }

    @Test
    void everyPoolGetsTheSameRequestsAndTheRouterHearsWhatTheyTook() {
        CommandLineRun run = compare("--pools=a,b", "--rate=200", "--max-tokens=4", "--seconds=2", "--name=tester");

        assertThat(run.exitCode()).as(run.err()).isZero();
        List<String> toA = bodiesFor("a");
        // What was on its way at the end may have reached one of them only.
        assertThat(bodiesFor("b")).filteredOn(toA::contains).hasSizeGreaterThan(20);
        JsonNode a = JsonMapper.shared().readTree(run.out()).path("pools").path("a");
        assertThat(a.path("completed").asInt()).isBetween(20, toA.size());
        assertThat(a.path("failed").asInt()).isZero();
        assertThat(a.path("tpotP50Ms").asDouble(-1)).isNotNegative();
        assertThat(reports).anyMatch(report -> report.startsWith("/v1/pools/a/clients/tester {"));
        assertThat(reports).anyMatch(report -> report.startsWith("/v1/pools/b/clients/tester {"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pools=a --rate=0                   | 2 | --rate must be above 0",
                "--pools=a --rate=1 --max-tokens=1    | 2 | --max-tokens must be at least 2",
                "--pools=a --rate=1 --seconds=0       | 2 | --seconds must be at least 1",
                "--pools=a,nobody --rate=1            | 1 | The router has no pool nobody"
            })
    void whatCannotBeIsRefusedByName(String options, int exit, String message) {
        CommandLineRun run = compare(options.split(" "));

        assertThat(run.exitCode()).isEqualTo(exit);
        assertThat(run.err()).contains(message);
        assertThat(asked).isEmpty();
    }

    /** What a pool was asked, less the name by which it was asked. */
    private List<String> bodiesFor(String pool) {
        String model = "\"model\":\"" + pool + "\"";
        return asked.stream()
                .filter(body -> body.contains(model))
                .map(body -> body.replace(model, ""))
                .toList();
    }

    private CommandLineRun compare(String... options) {
        String[] all = new String[options.length + 4];
        all[0] = "compare";
        all[1] = "--url=http://127.0.0.1:" + router.getAddress().getPort();
        all[2] = "--token=t";
        all[3] = "--traces=" + TRACES;
        System.arraycopy(options, 0, all, 4, options.length);
        return CommandLineRun.of(all);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try (exchange) {
            if (path.equals("/v1/completions")) {
                asked.add(body);
                exchange.sendResponseHeaders(200, 0);
                stream(exchange.getResponseBody());
            } else if (exchange.getRequestMethod().equals("PUT")) {
                reports.add(path + " " + body);
                exchange.sendResponseHeaders(204, -1);
            } else {
                String answer = path.equals("/v1/pools") ? POOLS : "{\"decoders\":[]}";
                exchange.sendResponseHeaders(200, answer.length());
                exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void stream(OutputStream out) throws IOException {
        for (int token = 0; token < 4; token++) {
            out.write("data: {\"choices\":[]}\n\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        out.write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
    }
}
