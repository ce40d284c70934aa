package io.eldr.launcher.up;

import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.postgres.PostgresCluster;
import io.eldr.launcher.supervision.JavaService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** How each service is started: its jar, its configuration, its log. */
final class Services {

    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED");

    /** A heap that begins small stays small in memory; the rest is for large bodies. As ./eldr bench gateway has it. */
    private static final List<String> ROUTER_OPTIONS = List.of(
            "-Xms96m",
            "-Xmx208m",
            "-XX:+UseCompactObjectHeaders",
            "-XX:TrimNativeHeapInterval=5000",
            "-XX:MaxDirectMemorySize=128m",
            // By the beans laid out when its jar was built.
            "-Dspring.aot.enabled=true");

    private final Path home;
    private final DataFolder data;
    private final Ports ports;
    private final int postgresPort;
    private final String postgresPassword;
    private final String adminToken;
    private final String routerToken;
    private final Dashboard dashboard;

    /**
     * @param routerToken what the router is known by at the calibration service
     * @param dashboard what the dashboard is known by, and who may log in there
     */
    Services(
            Path home,
            DataFolder data,
            Ports ports,
            int postgresPort,
            String postgresPassword,
            String adminToken,
            String routerToken,
            Dashboard dashboard) {
        this.home = home;
        this.data = data;
        this.ports = ports;
        this.postgresPort = postgresPort;
        this.postgresPassword = postgresPassword;
        this.adminToken = adminToken;
        this.routerToken = routerToken;
        this.dashboard = dashboard;
    }

    /** Brings the schema up to date and exits. */
    JavaService migration() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("migrate"));
        arguments.addAll(common());
        return service("migration", "calibration-service", List.of("-Xmx256m"), arguments, Map.of());
    }

    JavaService calibration() throws IOException {
        List<String> arguments = new ArrayList<>(listening(ports.calibration(), ports.calibrationManagement()));
        arguments.addAll(common());
        arguments.addAll(token(2, "router", "client", routerToken));
        return service("calibration-service", "calibration-service", List.of("-Xmx512m"), arguments, Map.of());
    }

    JavaService router() throws IOException {
        List<String> arguments = new ArrayList<>(listening(ports.router(), ports.routerManagement()));
        arguments.addAll(common());
        arguments.add("--eldr.router.data-dir=" + data.routerData());
        Addresses addresses = new Addresses(ports);
        arguments.add("--eldr.router.url=" + addresses.router());
        arguments.add("--eldr.router.calibration.url=" + addresses.calibration());
        return service(
                "router-service",
                "router-service",
                ROUTER_OPTIONS,
                arguments,
                Map.of("ELDR_ROUTER_CALIBRATION_TOKEN", routerToken));
    }

    /**
     * The simulated workers of the demo, all in one process.
     *
     * @param traces the recorded routing that their requests use
     */
    JavaService engines(Path traces) throws IOException {
        List<String> arguments = List.of(
                "--supervised",
                "--decode=" + DemoCluster.POOLS.size() * DemoCluster.DECODERS,
                "--prefill=" + DemoCluster.POOLS.size() * DemoCluster.PREFILLERS,
                "--port-base=" + ports.worker(0),
                "--time-scale=" + DemoCluster.TIME_SCALE,
                "--model=" + String.join(",", DemoCluster.POOLS),
                "--traces=" + traces);
        return process("engine-sim", "engine-sim", List.of("-Xmx192m"), arguments, Map.of());
    }

    /**
     * The client of the demo.
     *
     * @param traces what it draws requests from
     * @param rate requests a second to each pool
     */
    JavaService traffic(Path traces, double rate) throws IOException {
        List<String> arguments = List.of(
                "compare",
                "--supervised",
                "--name=demo",
                "--url=" + new Addresses(ports).router(),
                "--pools=" + String.join(",", DemoCluster.POOLS),
                "--traces=" + traces,
                "--rate=" + rate,
                "--max-tokens=" + DemoCluster.MAX_TOKENS,
                "--time-scale=" + DemoCluster.TIME_SCALE);
        return process(
                "traffic",
                "launcher",
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"),
                arguments,
                Map.of("ELDR_TOKEN", adminToken));
    }

    /** The dashboard. It is reached on this machine alone, so its cookie needs no TLS. */
    JavaService adminUi() throws IOException {
        Addresses addresses = new Addresses(ports);
        List<String> arguments = new ArrayList<>(listening(ports.dashboard(), ports.dashboardManagement()));
        arguments.addAll(List.of(
                "--eldr.supervised=true",
                "--server.servlet.session.cookie.secure=false",
                "--eldr.admin.calibration-url=" + addresses.calibration(),
                "--eldr.admin.routers[0].name=router",
                "--eldr.admin.routers[0].url=" + addresses.router(),
                "--eldr.admin.users.file=" + data.dashboardUsers()));
        return process("admin-ui", "admin-ui", List.of("-Xmx192m"), arguments, dashboard.secrets());
    }

    /** One that uses Postgres. */
    private JavaService service(
            String name, String module, List<String> memory, List<String> arguments, Map<String, String> secrets)
            throws IOException {
        Map<String, String> environment = new HashMap<>(secrets);
        environment.put("SPRING_DATASOURCE_PASSWORD", postgresPassword);
        return process(name, module, memory, arguments, environment);
    }

    /** @param secrets environment variables: unlike arguments, nobody else on the machine can read them */
    private JavaService process(
            String name, String module, List<String> memory, List<String> arguments, Map<String, String> secrets)
            throws IOException {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.addAll(memory);
        return new JavaService(name, copyOfJar(module), options, arguments, secrets, data.log(name));
    }

    /** A service runs from a copy, so that a build meanwhile does not pull its classes from under it. */
    private Path copyOfJar(String module) throws IOException {
        String name = "eldr-" + module + ".jar";
        Path jar = home.resolve(module).resolve("target").resolve(name);
        if (!Files.isRegularFile(jar)) {
            throw new CommandFailedException("There is no " + jar + "; ./eldr builds it, or mvn package");
        }
        Path copy = data.folder("run").resolve(name);
        if (!Files.exists(copy) || Files.mismatch(jar, copy) >= 0) {
            Path unfinished = copy.resolveSibling(name + ".copying");
            Files.copy(jar, unfinished, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unfinished, copy, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
        return copy;
    }

    private static List<String> listening(int port, int managementPort) {
        return List.of(
                "--server.address=127.0.0.1",
                "--server.port=" + port,
                "--management.server.address=127.0.0.1",
                "--management.server.port=" + managementPort);
    }

    private List<String> common() {
        List<String> arguments = new ArrayList<>(List.of(
                "--eldr.supervised=true",
                "--spring.datasource.url=" + PostgresCluster.jdbcUrl(postgresPort),
                "--spring.datasource.username=" + PostgresCluster.USER));
        arguments.addAll(token(0, "eldr-up", "admin", adminToken));
        arguments.addAll(token(1, "dashboard", "admin", dashboard.token()));
        arguments.add("--eldr.access.tokens[1].service=true");
        return arguments;
    }

    private static List<String> token(int index, String name, String role, String token) {
        String prefix = "--eldr.access.tokens[" + index + "].";
        return List.of(prefix + "name=" + name, prefix + "role=" + role, prefix + "sha256=" + sha256(token));
    }

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
