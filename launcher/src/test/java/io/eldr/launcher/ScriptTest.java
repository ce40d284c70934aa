package io.eldr.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code eldr} in a small checkout of its own, with a JDK, a Maven and a Node that only pretend: each writes
 * what it was asked into a file.
 */
@Timeout(240)
class ScriptTest {

    private static final Path SCRIPT =
            Path.of("..").toAbsolutePath().normalize().resolve("eldr");

    @TempDir
    private Path folder;

    private static final List<String> TOOLS = List.of(
            "awk",
            "bash",
            "cat",
            "cp",
            "dirname",
            "env",
            "find",
            "flock",
            "grep",
            "head",
            "mkdir",
            "perl",
            "readlink",
            "rm",
            "sed",
            "sh",
            "sleep",
            "tail",
            "tee",
            "touch");

    /** What the script may use of this machine: no Java, no Maven, no Node. */
    private static Path tools;

    private Path home;
    private Path bin;
    private Path jdk;
    private Path mavenCalls;
    private Path javaCalls;

    @BeforeAll
    static void linkTools(@TempDir Path folder) throws IOException {
        tools = folder;
        for (String tool : TOOLS) {
            for (String place : System.getenv("PATH").split(":", -1)) {
                if (Files.isExecutable(Path.of(place, tool)) && !Files.exists(tools.resolve(tool))) {
                    Files.createSymbolicLink(tools.resolve(tool), Path.of(place, tool));
                }
            }
        }
    }

    /** Links to the outside would make JUnit warn when it cleans up. */
    @AfterAll
    static void unlinkTools() throws IOException {
        for (String tool : TOOLS) {
            Files.deleteIfExists(tools.resolve(tool));
        }
    }

    @BeforeEach
    void checkout() throws IOException {
        home = Files.createDirectories(folder.resolve("check out"));
        bin = Files.createDirectories(folder.resolve("bin"));
        jdk = Files.createDirectories(folder.resolve("jdk"));
        mavenCalls = folder.resolve("maven-calls");
        javaCalls = folder.resolve("java-calls");
        Files.copy(SCRIPT, home.resolve("eldr"));
        Files.setPosixFilePermissions(home.resolve("eldr"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(home.resolve("pom.xml"), """
                <modules>
                  <module>core</module>
                  <module>router-service</module>
                  <module>calibration-service</module>
                  <module>launcher</module>
                </modules>
                """);
        for (String module : List.of("core", "router-service", "calibration-service", "launcher")) {
            Files.createDirectories(home.resolve(module).resolve("src/main/java"));
            Files.writeString(home.resolve(module).resolve("pom.xml"), "<project/>");
            Files.writeString(home.resolve(module).resolve("src/main/java/A.java"), "class A {}");
        }
        jdk(jdk, "25.0.1");
        maven(
                "3.9.9",
                "for m in router-service calibration-service launcher; do"
                        + " mkdir -p \"$home/$m/target\"; echo jar > \"$home/$m/target/eldr-$m.jar\"; done");
        node("20.11.0");
    }

    @Test
    void buildsWhatIsNotBuiltAndRunsIt() throws Exception {
        Result result = eldr("up", "--port-base", "9000");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo("launched\n");
        assertThat(result.err()).contains("eldr: building", "eldr: Building ELDR core");
        assertThat(mavenCalls)
                .content()
                .contains("-B -f " + home.resolve("pom.xml"))
                .contains("-DskipTests")
                .contains("package")
                .contains("JAVA_HOME=" + jdk);
        assertThat(javaCalls)
                .content()
                .contains("-Deldr.home=" + home)
                .contains("-jar ")
                .contains("up --port-base 9000");
        assertThat(home.resolve(".eldr/build.log")).content().contains("Building ELDR core");
    }

    @Test
    void buildsNothingThatIsUpToDate() throws Exception {
        eldr("up");
        Files.delete(mavenCalls);

        assertThat(eldr("up").exit()).isZero();
        assertThat(eldr("import").exit()).isZero();
        assertThat(mavenCalls).doesNotExist();
    }

    @Test
    void buildsAgainWhenASourceOrAPomIsNewer() throws Exception {
        for (String changed : List.of("core/src/main/java/A.java", "router-service/pom.xml", "pom.xml")) {
            eldr("up");
            Files.deleteIfExists(mavenCalls);
            Files.setLastModifiedTime(
                    home.resolve(changed), FileTime.from(Instant.now().plusSeconds(1)));

            assertThat(eldr("up").exit()).as(changed).isZero();
            assertThat(mavenCalls).as(changed).exists();
            Files.setLastModifiedTime(home.resolve(changed), FileTime.from(Instant.EPOCH));
        }
    }

    @Test
    void buildsAgainWhenASourceIsGone() throws Exception {
        eldr("up");
        Files.delete(mavenCalls);
        Path source = home.resolve("core/src/main/java/A.java");
        Files.delete(source);
        Files.setLastModifiedTime(
                source.resolveSibling(""), FileTime.from(Instant.now().plusSeconds(1)));

        eldr("up");

        assertThat(mavenCalls).exists();
    }

    @Test
    void aCommandThatStartsNoServiceBuildsTheLauncherOnly() throws Exception {
        assertThat(eldr("route", "--limit", "3").exit()).isZero();

        assertThat(mavenCalls).content().contains("-pl launcher -am");
        assertThat(javaCalls)
                .content()
                .contains("-jar " + home.resolve("launcher/target/eldr-launcher.jar") + " route --limit 3");
    }

    @Test
    void benchmarksAreBuiltOnFirstUseOnly() throws Exception {
        Files.createDirectories(home.resolve("benchmarks/src/main/java"));
        maven(
                "3.9.9",
                "mkdir -p \"$home/benchmarks/target\"; echo jar > \"$home/benchmarks/target/eldr-benchmarks.jar\"");

        assertThat(eldr("bench", "calibrate", "--quick").exit()).isZero();

        assertThat(mavenCalls).content().contains("-P benchmarks -pl benchmarks -am");
        assertThat(javaCalls)
                .content()
                .contains("-jar " + home.resolve("benchmarks/target/eldr-benchmarks.jar") + " calibrate --quick");
        Files.delete(mavenCalls);
        assertThat(eldr("bench", "calibrate").exit()).isZero();
        assertThat(mavenCalls).doesNotExist();
    }

    @Test
    void theBenchOfSamplesRunsTheServicesThemselves() throws Exception {
        assertThat(eldr("bench", "samples", "--rounds", "2").exit()).isZero();
        assertThat(javaCalls)
                .content()
                .contains("-jar " + home.resolve("launcher/target/eldr-launcher.jar") + " bench samples --rounds 2");
    }

    @Test
    void showsTheEndOfTheLogWhenTheBuildFails() throws Exception {
        maven("3.9.9", "echo '[ERROR] it does not compile'; exit 1");

        Result result = eldr("up");

        assertThat(result.exit()).isOne();
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(".eldr/build.log", "[ERROR] it does not compile");
        assertThat(javaCalls).doesNotExist();
    }

    @Test
    void namesEveryToolThatIsMissingAndHowToGetIt() throws Exception {
        Files.delete(bin.resolve("mvn"));
        Files.delete(bin.resolve("node"));
        jdk(jdk, "17.0.9");

        Result result = eldr("up");

        assertThat(result.exit()).isOne();
        assertThat(result.err().lines())
                .hasSize(3)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("missing: JDK 25 or newer", "JAVA_HOME is a JDK 17", "adoptium.net"),
                        line -> assertThat(line).contains("missing: Maven 3.8.6 or newer", "maven.apache.org"),
                        line -> assertThat(line).contains("missing: Node 20 or newer", "nodejs.org"));
    }

    @Test
    void refusesToolsThatAreTooOld() throws Exception {
        maven("3.8.5", "true");
        node("18.19.0");

        Result result = eldr("test");

        assertThat(result.exit()).isOne();
        assertThat(result.err()).contains("(found: 3.8.5)", "(found: 18.19.0)").doesNotContain("JDK");
    }

    @Test
    void takesTheJavaOnPathWhereJavaHomeIsTooOld() throws Exception {
        Path old = Files.createDirectories(folder.resolve("old-jdk"));
        jdk(old, "21.0.2");
        executable(bin.resolve("java"), "echo '    java.home = " + jdk + "' >&2");

        Result result = run(Map.of("JAVA_HOME", old.toString()), "up");

        assertThat(result.exit()).isZero();
        assertThat(mavenCalls).content().contains("JAVA_HOME=" + jdk + "\n");
    }

    @Test
    void aNewerJdkWillDo() throws Exception {
        jdk(jdk, "26");

        assertThat(eldr("up").exit()).isZero();
    }

    @Test
    void twoCallsAtOnceBuildOnce() throws Exception {
        Path met = folder.resolve("met");
        maven(
                "3.9.9",
                "while [ ! -e '" + met + "' ]; do sleep 0.1; done;"
                        + " for m in router-service calibration-service launcher; do"
                        + " mkdir -p \"$home/$m/target\"; echo jar > \"$home/$m/target/eldr-$m.jar\"; done");
        Process first = start(Map.of(), "up");
        Process second;
        try {
            await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(mavenCalls));
            second = start(Map.of(), "up");
            BufferedReader said = second.errorReader(StandardCharsets.UTF_8);
            String line = said.readLine();
            while (line != null && !line.contains("another ./eldr builds here")) {
                line = said.readLine();
            }
            assertThat(line).isNotNull();
        } finally {
            // The first one builds until the second one has met it.
            Files.createFile(met);
        }

        assertThat(first.waitFor()).isZero();
        assertThat(second.waitFor()).isZero();
        assertThat(mavenCalls).content().containsOnlyOnce("package");
        assertThat(text(first.getErrorStream().readAllBytes())).doesNotContain("another ./eldr builds here");
    }

    @Test
    void testRunsEverythingAndEndsWithTheSum() throws Exception {
        maven(
                "3.9.9",
                "echo '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s -- in A'; "
                        + "echo '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0'; "
                        + "echo '[WARNING] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1, Flakes: 1'");

        Result result = eldr("test", "-pl", "core");

        assertThat(result.exit()).isZero();
        assertThat(mavenCalls).content().contains("verify -pl core");
        assertThat(result.out()).endsWith("\nTests run: 7, Failures: 0, Errors: 0, Skipped: 1\n");
    }

    @Test
    void whatTestBuiltIsNotBuiltAgain() throws Exception {
        assertThat(eldr("test").exit()).isZero();
        Files.delete(mavenCalls);

        assertThat(eldr("up").exit()).isZero();
        assertThat(mavenCalls).doesNotExist();
    }

    /** Reproducible builds give every jar one date, which may lie ahead. */
    @Test
    void doesNotTrustTheDateOfAJar() throws Exception {
        eldr("up");
        Files.delete(mavenCalls);
        for (String module : List.of("router-service", "calibration-service", "launcher")) {
            Path jar = home.resolve(module).resolve("target").resolve("eldr-" + module + ".jar");
            Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(3600)));
        }
        Files.setLastModifiedTime(
                home.resolve("core/pom.xml"), FileTime.from(Instant.now().plusSeconds(1)));

        eldr("up");

        assertThat(mavenCalls).exists();
    }

    @Test
    void testFailsWhenMavenDoes() throws Exception {
        maven("3.9.9", "echo '[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0'; exit 1");

        Result result = eldr("test");

        assertThat(result.exit()).isOne();
        assertThat(result.out()).endsWith("\nTests run: 3, Failures: 1, Errors: 1, Skipped: 0\n");
    }

    @Test
    void helpNeedsNoTools() throws Exception {
        Files.delete(bin.resolve("mvn"));

        Result result = eldr("--help");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("up", "test", "calibrate", "decide", "import", "route");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void anUnknownCommandIsWrongUsage() throws Exception {
        assertThat(eldr("fly").exit()).isEqualTo(2);
        assertThat(eldr("fly").err()).contains("there is no command 'fly'", "Usage:");
        assertThat(eldr().exit()).isEqualTo(2);
        assertThat(mavenCalls).doesNotExist();
    }

    @Test
    void worksThroughALink() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), home.resolve("eldr"));

        Process process = new ProcessBuilder(link.toString(), "--help").start();

        assertThat(process.waitFor()).isZero();
    }

    @Test
    void theCommandsExitCodeIsTheScripts() throws Exception {
        executable(jdk.resolve("bin/java"), "exit 2");

        assertThat(eldr("import").exit()).isEqualTo(2);
    }

    private record Result(int exit, String out, String err) {}

    private Result eldr(String... arguments) throws Exception {
        return run(Map.of(), arguments);
    }

    private Result run(Map<String, String> environment, String... arguments) throws Exception {
        Process process = start(environment, arguments);
        String out = text(process.getInputStream().readAllBytes());
        String err = text(process.getErrorStream().readAllBytes());
        return new Result(process.waitFor(), out, err);
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(home.resolve("eldr").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("ELDR") || name.startsWith("MAVEN"));
        variables.put("PATH", bin + ":" + tools);
        variables.put("HOME", folder.toString());
        variables.put("JAVA_HOME", jdk.toString());
        variables.put("ELDR_JDK_SEARCH", "no");
        variables.putAll(environment);
        return builder.start();
    }

    private void jdk(Path place, String version) throws IOException {
        Files.createDirectories(place.resolve("bin"));
        Files.writeString(place.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        executable(place.resolve("bin/javac"), "true");
        executable(place.resolve("bin/java"), "echo \"$@\" >> '" + javaCalls + "'; echo launched");
    }

    private void maven(String version, String build) throws IOException {
        executable(bin.resolve("mvn"), """
                if [ "$1" = --version ]; then printf '\\033[1mApache Maven %s (x)\\033[m\\n'; exit; fi
                echo "JAVA_HOME=$JAVA_HOME" >> '%s'
                echo "$@" >> '%s'
                home='%s'
                echo '[INFO] Building ELDR core 0.1.0-SNAPSHOT                  [2/5]'
                %s
                """.formatted(version, mavenCalls, mavenCalls, home, build));
    }

    private void node(String version) throws IOException {
        executable(bin.resolve("node"), "echo v" + version);
    }

    private static void executable(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
