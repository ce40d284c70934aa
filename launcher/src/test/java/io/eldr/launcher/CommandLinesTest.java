package io.eldr.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.SampleBatchReader;
import io.eldr.launcher.console.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CommandLinesTest {

    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final String TRACES =
            CHECKOUT.resolve("data/own/small-moe-28M/calibration").toString();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    private FakeEldr eldr;

    @BeforeEach
    void start() throws IOException {
        eldr = new FakeEldr();
    }

    @AfterEach
    void stop() {
        eldr.close();
    }

    @Test
    void importSendsTheWholeTraceInBatchesAndSumsUp() throws IOException {
        String[] command = {
            "import", "--url", eldr.address().toString(), "--pool", "demo", "--traces", TRACES, "--token", "secret"
        };

        assertThat(run(command)).isZero();
        JsonNode summary = JsonMapper.shared().readTree(out());
        assertThat(summary.get("accepted").asInt()).isEqualTo(1000);
        assertThat(summary.get("duplicates").asInt()).isZero();
        assertThat(summary.get("skipped").asInt()).isZero();
        assertThat(eldr.calls()).hasSize(summary.get("batches").asInt());
        RequestSample sample = firstSample();
        assertThat(sample.id()).isEqualTo("cal-0000");
        assertThat(sample.label()).isEqualTo("man-zh");
        assertThat(sample.signatureTokens()).isEqualTo(55);
        assertThat(sample.decodeTokens()).isEqualTo(96);
        assertThat(sample.decode().orElseThrow().layers()).isEqualTo(8);

        out.reset();
        assertThat(run(command)).isZero();
        assertThat(JsonMapper.shared().readTree(out()).get("duplicates").asInt())
                .isEqualTo(1000);
    }

    @Test
    void importTakesTheFirstDecodedTokensWhereAskedTo() throws IOException {
        assertThat(run(
                        "import",
                        "--url=" + eldr.address(),
                        "--pool=demo",
                        "--traces=" + TRACES,
                        "--token=secret",
                        "--signature-from=decode:40"))
                .isZero();

        RequestSample sample = firstSample();
        assertThat(sample.signatureTokens()).isEqualTo(40);
        assertThat(sample.decodeTokens()).isEqualTo(56);
    }

    /** The first one that arrived, of the model of the traces. */
    private RequestSample firstSample() throws IOException {
        byte[] body = eldr.calls().getFirst().body().getBytes(StandardCharsets.ISO_8859_1);
        return new SampleBatchReader(new ByteArrayInputStream(body), new Geometry(8, 64, 4))
                .next()
                .orElseThrow();
    }

    @Test
    void routePrintsOneAnswerALineAndClosesEachReservation() throws IOException {
        Files.createDirectories(home.resolve(".eldr/data"));
        Files.writeString(home.resolve(".eldr/data/token"), "of-up\n");

        assertThat(run("route", "--url=" + eldr.address(), "--pool=demo", "--traces=" + TRACES, "--limit=3"))
                .isZero();

        assertThat(out().lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(JsonMapper.shared()
                                .readTree(line)
                                .at("/decoder/id")
                                .asString())
                        .isEqualTo("decoder-3"));
        assertThat(eldr.calls()).hasSize(6);
        assertThat(eldr.calls().get(0))
                .hasToString("POST /v1/route?pool=demo&requestId=cal-0000&promptTokens=55&label=man-zh");
        assertThat(eldr.calls().get(0).body()).hasSize(2 * 8 * 64);
        assertThat(eldr.calls().get(0).authorization()).isEqualTo("Bearer of-up");
        assertThat(eldr.calls().get(1)).hasToString("POST /v1/reservations/a%2Fb/close");
        assertThat(eldr.calls().get(1).text()).isEqualTo("{\"outcome\":\"completed\",\"decodeTokens\":96}");
    }

    @Test
    void routeLeavesReservationsOpenWhereAskedTo() {
        assertThat(run(
                        "route",
                        "--url=" + eldr.address(),
                        "--pool=demo",
                        "--traces=" + TRACES,
                        "--limit=2",
                        "--token=secret",
                        "--keep"))
                .isZero();

        assertThat(eldr.calls()).hasSize(2);
    }

    @Test
    void aServiceThatDoesNotAnswerFailsTheCommand() {
        eldr.close();

        assertThat(run("route", "--url=" + eldr.address(), "--pool=demo", "--traces=" + TRACES, "--token=secret"))
                .isOne();
        assertThat(out()).isEmpty();
        assertThat(err()).contains("eldr: Nothing answers at").doesNotContain("Exception");
    }

    @Test
    void aRefusalFailsTheCommandAndIsTold() {
        assertThat(run("route", "--url=" + eldr.address() + "/other", "--pool=x", "--traces=" + TRACES, "--token=t"))
                .isOne();
        assertThat(err()).contains("404 nothing here");
    }

    @Test
    void aTraceThatIsNotThereFailsTheCommand() {
        assertThat(run("import", "--url=" + eldr.address(), "--pool=demo", "--traces=" + home, "--token=secret"))
                .isOne();
        assertThat(err()).contains("meta.json").doesNotContain("Exception");
    }

    @Test
    void wrongUsageIsAnotherExitCodeAndNamesTheOption() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("fly")).isEqualTo(2);
        assertThat(run("up", "--sideways")).isEqualTo(2);
        assertThat(run("import", "--url=http://127.0.0.1:1")).isEqualTo(2);
        assertThat(run("up", "--port-base=70000")).isEqualTo(2);
        assertThat(run("route", "--url=ftp://x", "--pool=p", "--traces=" + TRACES, "--token=t"))
                .isEqualTo(2);
        assertThat(run("route", "--url=http://x", "--pool=p", "--traces=" + TRACES, "--token=t", "--limit=0"))
                .isEqualTo(2);
        assertThat(run(
                        "import",
                        "--url=http://x",
                        "--pool=p",
                        "--traces=" + TRACES,
                        "--token=t",
                        "--signature-from=decode:-1"))
                .isEqualTo(2);
        assertThat(out()).isEmpty();
        assertThat(err()).contains("--sideways", "--port-base", "--url must be", "--limit", "--signature-from");
    }

    @Test
    void upNamesATakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // The router's management port, 1000 above the base.
            int base = taken.getLocalPort() - 1000;

            assertThat(run("up", "--port-base=" + base)).isOne();
            assertThat(err()).contains("Port ").contains("is taken").contains("--port-base");
        }
    }

    @Test
    void helpIsAResult() {
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("up", "import", "route");
        assertThat(err()).isEmpty();
    }

    @Test
    void theScriptNamesEveryCommand() throws IOException {
        Set<String> registered = new TreeSet<>(
                CommandLines.eldr(console(), home).getSubcommands().keySet());

        String help = Files.readString(CHECKOUT.resolve("eldr"));
        Set<String> named = Pattern.compile("(?m)^  ([a-z]+)  +[a-z]")
                .matcher(help)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).contains("test").containsAll(registered);
    }

    private int run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        return CommandLines.eldr(console(), home).execute(command.toArray(String[]::new));
    }

    private Console console() {
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
