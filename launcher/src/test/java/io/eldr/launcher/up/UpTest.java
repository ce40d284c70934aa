package io.eldr.launcher.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.launcher.FakeEldr;
import io.eldr.launcher.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code up} as a process of its own, with a real Postgres and services that only pretend. */
@Timeout(480)
class UpTest {

    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path home;

    private Path data;
    private Path err;

    @BeforeEach
    void checkout() throws IOException {
        data = home.resolve("state");
        err = home.resolve("err");
        Files.createSymbolicLink(home.resolve("data"), CHECKOUT.resolve("data"));
        Path binaries =
                Files.createDirectories(Path.of("target", "postgres-binaries").toAbsolutePath());
        Files.createDirectories(home.resolve(".eldr"));
        Files.createSymbolicLink(home.resolve(".eldr").resolve("postgres"), binaries);
        jar("calibration-service", FakeService.class);
        jar("router-service", FakeService.class);
        jar("admin-ui", FakeService.class);
        jar("engine-sim", FakeService.class);
        jar("launcher", FakeService.class);
    }

    /** Links to the outside would make JUnit warn when it cleans up. */
    @AfterEach
    void unlink() throws IOException {
        Files.delete(home.resolve("data"));
        Files.delete(home.resolve(".eldr").resolve("postgres"));
    }

    @Test
    void becomesReadyRestartsWhatDiesAndStopsEverythingOnSigterm() throws Exception {
        int base = portBase();
        Process up = start(base, "--rate=2.5");
        try {
            List<String> output = awaitReady(up);
            String token = Files.readString(data.resolve("token")).strip();
            assertThat(String.join("\n", output))
                    .contains("http://127.0.0.1:" + base + "/#token=" + token, "curl -s", "--data-binary @'" + data);
            String password = Files.readString(data.resolve("dashboard-admin")).strip();
            assertThat(output)
                    .contains(
                            "dashboard    http://127.0.0.1:" + (base + 2) + "/",
                            "log in as    admin, password " + password);
            assertThat(data.resolve("logs").resolve("admin-ui.log"))
                    .content()
                    .contains(
                            "--server.port=" + (base + 2),
                            "--eldr.admin.calibration-url=http://127.0.0.1:" + (base + 1))
                    .doesNotContain(
                            password,
                            Files.readString(data.resolve("dashboard-token")).strip());
            assertThat(output).filteredOn(line -> line.startsWith("curl ")).hasSize(6);
            assertThat(data.resolve("sample-signature.bin")).hasSize(2 * 8 * 64);
            assertThat(data.resolve("logs").resolve("router-service.log"))
                    .content()
                    .contains("--eldr.supervised=true", "--server.port=" + base, "--management.server.port=")
                    .doesNotContain(
                            token,
                            Files.readString(data.resolve("postgres-password")).strip());

            Process second = start(portBase());
            assertThat(second.waitFor()).isOne();
            assertThat(err).content().contains("Another ./eldr up (process " + up.pid() + ") uses " + data);

            ProcessHandle router = service(up, "router-service");
            router.destroyForcibly();
            await().atMost(PATIENCE)
                    .until(() -> services(up, "router-service").anyMatch(process -> process.pid() != router.pid()));
            assertThat(err).content().contains("router-service ended (exit code 137)");

            assertThat(data.resolve("logs").resolve("engine-sim.log"))
                    .content()
                    .contains("--supervised", "--decode=16", "--prefill=4", "--port-base=" + (base + 100))
                    .contains("--model=demo,demo-jsq", "--traces=" + home);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(data.resolve("logs").resolve("traffic.log"))
                            .content()
                            .contains("compare", "--pools=demo,demo-jsq", "--url=http://127.0.0.1:" + base)
                            .contains("--rate=2.5")
                            .doesNotContain(token));

            List<ProcessHandle> everything = everything(up);
            up.destroy();
            assertThat(up.waitFor()).isEqualTo(143);
            assertAllEnd(everything);
            assertThat(data.resolve("logs").resolve("postgres.log")).content().contains("database system is shut down");
        } finally {
            up.destroyForcibly();
        }
    }

    @Test
    void nothingSurvivesItsSigkillAndItStartsAgainOnTheSameState() throws Exception {
        int base = portBase();
        Process killed = start(base);
        awaitReady(killed);
        String token = Files.readString(data.resolve("token"));
        List<ProcessHandle> everything = everything(killed);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(data.resolve("logs").resolve("traffic.log"))
                        .content()
                        .contains("--rate=" + DemoCluster.RATE));

        killed.destroyForcibly().waitFor();

        // At once and on the same ports: the new run waits for the old one's end and is not hit by its guard.
        // It is put in front of engines that run already.
        Process up;
        try (FakeEldr engine = new FakeEldr()) {
            up = start(base, "--prefill=" + engine.address(), "--decode=" + engine.address());
            List<String> output = awaitReady(up);
            assertThat(output).anyMatch(line -> line.contains("\"model\":\"served\"") && line.contains("/chat/"));
            assertThat(output).anyMatch(line -> line.endsWith("/v1/pools/main/decoders"));
        }
        try {
            assertAllEnd(everything);
            assertThat(everything(up)).allMatch(ProcessHandle::isAlive);
            assertThat(data.resolve("token")).hasContent(token);
            everything = everything(up);
        } finally {
            up.destroy();
        }
        assertThat(up.waitFor()).isEqualTo(143);
        assertAllEnd(everything);

        Process fresh = start(portBase(), "--fresh", "--empty");
        try {
            assertThat(awaitReady(fresh)).anyMatch(line -> line.equals("# Make a pool"));
            assertThat(data.resolve("logs").resolve("engine-sim.log")).doesNotExist();
            assertThat(data.resolve("logs").resolve("traffic.log")).doesNotExist();
            assertThat(Files.readString(data.resolve("token"))).isNotEqualTo(token);
        } finally {
            fresh.destroy();
        }
        assertThat(fresh.waitFor()).isEqualTo(143);
    }

    @Test
    void aServiceThatDoesNotStartFailsItAndShowsItsLog() throws Exception {
        jar("router-service", BrokenService.class);

        Process up = start(portBase());

        assertThat(up.waitFor()).isOne();
        assertThat(err)
                .content()
                .contains("the property eldr.router.tau is not known")
                .contains("eldr: router-service ended while starting");
        assertThat(data.resolve("postgres").resolve("postmaster.pid")).doesNotExist();
        assertThat(up.inputReader().readLine()).isNull();
    }

    private Process start(int base, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Deldr.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "up",
                "--port-base=" + base,
                "--data=" + data));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(err.toFile()))
                .start();
    }

    private List<String> awaitReady(Process up) throws IOException {
        List<String> lines = new ArrayList<>();
        BufferedReader output = up.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals("ready")) {
                return lines;
            }
            lines.add(line);
        }
        throw new AssertionError("up ended before it was ready:\n" + Files.readString(err));
    }

    private static ProcessHandle service(Process up, String name) {
        return services(up, name).findFirst().orElseThrow();
    }

    private static Stream<ProcessHandle> services(Process up, String name) {
        return up.descendants()
                .filter(process -> process.info().commandLine().orElse("").contains("eldr-" + name + ".jar"));
    }

    /** The launcher's descendants and Postgres, which is in a session of its own. */
    private List<ProcessHandle> everything(Process up) throws IOException {
        List<ProcessHandle> all = up.descendants().collect(Collectors.toCollection(ArrayList::new));
        try (Stream<String> lines = Files.lines(data.resolve("postgres").resolve("postmaster.pid"))) {
            all.add(ProcessHandle.of(Long.parseLong(lines.findFirst().orElseThrow()))
                    .orElseThrow());
        }
        assertThat(all).hasSizeGreaterThanOrEqualTo(4);
        return all;
    }

    private static void assertAllEnd(List<ProcessHandle> processes) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(processes).noneMatch(ProcessHandle::isAlive));
    }

    /** An executable jar that runs a class of these tests. */
    private void jar(String module, Class<?> main) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main.getName());
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                .map(entry -> Path.of(entry).toUri().toString())
                                .collect(Collectors.joining(" ")));
        Path jar = home.resolve(module).resolve("target").resolve("eldr-" + module + ".jar");
        Files.createDirectories(jar.resolveSibling(""));
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            entries.finish();
        }
    }

    /** A number whose ports are free now, below those that systems give to connections. */
    private static int portBase() {
        while (true) {
            int base = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            if (areFree(ports(base))) {
                return base;
            }
        }
    }

    private static int[] ports(int base) {
        return IntStream.concat(
                        IntStream.of(base, base + 1, base + 2, base + 1000, base + 1001, base + 1002),
                        IntStream.range(base + 100, base + 100 + DemoCluster.WORKERS))
                .toArray();
    }

    private static boolean areFree(int... ports) {
        for (int port : ports) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (!socket.isBound()) {
                    return false;
                }
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
