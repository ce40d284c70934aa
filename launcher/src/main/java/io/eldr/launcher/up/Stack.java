package io.eldr.launcher.up;

import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.postgres.PostgresBinaries;
import io.eldr.launcher.postgres.PostgresChild;
import io.eldr.launcher.postgres.PostgresCluster;
import io.eldr.launcher.postgres.PostgresGuard;
import io.eldr.launcher.supervision.Child;
import io.eldr.launcher.supervision.JavaService;
import io.eldr.launcher.supervision.RestartPolicy;
import io.eldr.launcher.supervision.Supervisor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** One run of {@code up}: Postgres, then services and workers, then the pool; stopped in the reverse order. */
final class Stack {

    private static final Path TRACES = Path.of("data", "own", "small-moe-28M");
    private static final Duration START_PATIENCE = Duration.ofMinutes(5);
    /** How long services that lost their supervisor may take to end. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(30);

    private static final Duration FIT_PATIENCE = Duration.ofMinutes(5);

    private final Console console;
    private final Path home;
    private final Path folder;
    private final boolean fresh;
    private final Ports ports;
    private final Backend backend;
    private final Supervisor supervisor;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private final AtomicReference<@Nullable DataFolder> claimed = new AtomicReference<>();
    private volatile boolean signalled;
    private volatile boolean over;

    /**
     * @param home the root of the checkout
     * @param folder where state lives
     * @param fresh whether to delete earlier state
     * @param backend what the router is put in front of
     */
    Stack(Console console, Path home, Path folder, boolean fresh, Ports ports, Backend backend) {
        this.console = console;
        this.home = home;
        this.folder = folder;
        this.fresh = fresh;
        this.ports = ports;
        this.backend = backend;
        this.supervisor = new Supervisor(RestartPolicy.DEFAULT, InstantSource.system(), Thread::sleep, console);
    }

    /**
     * Starts everything and stays until something fails for good. A signal ends the JVM meanwhile, whose shutdown hook
     * stops everything.
     *
     * @return what failed
     * @throws CommandFailedException if the start fails; whatever was started is stopped
     */
    String run() throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(this::stopOnSignal));
        try (DataFolder data = DataFolder.open(folder)) {
            claimed.set(data);
            start(data);
            return supervisor.gaveUp().join();
        } catch (IOException | RuntimeException e) {
            if (signalled) {
                // What broke off was stopped on purpose; the JVM is about to end.
                new CountDownLatch(1).await();
            }
            throw e;
        } finally {
            supervisor.close();
            over = true;
        }
    }

    private void stopOnSignal() {
        if (!over) {
            signalled = true;
            console.log("stopping");
            supervisor.close();
            Optional.ofNullable(claimed.get()).ifPresent(DataFolder::markEnded);
        }
    }

    private void start(DataFolder data) throws IOException {
        if (!data.lastRunEnded()) {
            console.log("the last run was killed; its services may still be ending");
        }
        int workers = backend instanceof Backend.Demo ? DemoCluster.WORKERS : 0;
        ports.requireFree(workers, data.lastRunEnded() ? Duration.ZERO : END_PATIENCE);
        PostgresBinaries binaries =
                PostgresBinaries.unpackedBelow(home.resolve(".eldr").resolve("postgres"));
        new PostgresCluster(binaries, data.postgres(), data.log("postgres")).stopStale();
        if (fresh) {
            data.wipe();
        }
        SecureRandom random = new SecureRandom();
        String password = data.secret("postgres-password", random);
        String token = data.secret("token", random);
        console.log("state is in " + data.root());

        int postgresPort =
                startPostgres(new PostgresCluster(binaries, data.postgres(), data.log("postgres")), password);
        String routerToken = data.secret("router-token", random);
        Dashboard dashboard = Dashboard.of(data, random);
        Services services = new Services(home, data, ports, postgresPort, password, token, routerToken, dashboard);
        Addresses addresses = new Addresses(ports);
        migrate(services.migration());
        startServices(services, addresses);
        Welcome welcome = new Welcome(console, addresses, token, dashboard);
        PoolRegistry registry = registry(addresses, token);
        switch (backend) {
            case Backend.Demo(double rate) -> {
                new DemoPools(registry).makeReady(traces("calibration"), addresses);
                startTraffic(services, rate);
                int promptTokens = Welcome.writeSample(traces("serving"), data.sampleSignature());
                welcome.printDemo(data.sampleSignature(), promptTokens);
            }
            case Backend.Engines(PoolDeclaration pool) -> {
                new EnginePool(registry).makeReady(pool);
                welcome.printEngines(pool);
            }
            case Backend.Empty _ -> welcome.printEmpty();
        }
    }

    private Path traces(String part) {
        return home.resolve(TRACES).resolve(part);
    }

    private int startPostgres(PostgresCluster cluster, String password) throws IOException {
        console.log("starting Postgres");
        cluster.initialise(password);
        int port = Ports.anyFree();
        PostgresGuard guard = new PostgresGuard(cluster, port);
        supervisor.start(guard);
        supervisor.watch(guard);
        PostgresChild postgres = new PostgresChild(cluster, port);
        supervisor.start(postgres);
        cluster.createDatabase(port, password);
        supervisor.watch(postgres);
        return port;
    }

    private void migrate(JavaService migration) throws IOException {
        console.log("bringing the schema up to date");
        Child.Running life = supervisor.start(migration);
        try {
            String end = life.awaitEnd();
            if (!end.equals("exit code 0")) {
                throw new CommandFailedException("The migration of the schema failed (" + end + ")", migration.log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    /**
     * A service on its start.
     *
     * @param probe what answers with 200 when it is ready
     */
    private record Starting(JavaService service, URI probe) {}

    /** All at once: each takes a few seconds. */
    private void startServices(Services services, Addresses addresses) throws IOException {
        List<Starting> starting = new ArrayList<>();
        if (backend instanceof Backend.Demo) {
            // Workers start one after another, so the last one speaks for all.
            starting.add(new Starting(
                    services.engines(traces("serving")),
                    addresses.worker(DemoCluster.WORKERS - 1).resolve("/health")));
        }
        starting.add(
                new Starting(services.calibration(), addresses.calibration().resolve("/readyz")));
        starting.add(new Starting(services.router(), addresses.router().resolve("/readyz")));
        starting.add(new Starting(services.adminUi(), addresses.dashboard().resolve("/readyz")));
        List<Child.Running> lives = new ArrayList<>();
        for (Starting one : starting) {
            lives.add(supervisor.start(one.service()));
        }
        for (int i = 0; i < starting.size(); i++) {
            awaitReady(starting.get(i).service(), lives.get(i), starting.get(i).probe());
        }
    }

    /** Nobody waits for it: its first figures come when its first requests end. */
    private void startTraffic(Services services, double rate) throws IOException {
        JavaService traffic = services.traffic(traces("serving"), rate);
        supervisor.start(traffic);
        supervisor.watch(traffic);
    }

    private void awaitReady(JavaService service, Child.Running life, URI probe) {
        console.log("waiting for " + service.name());
        new Readiness(http, START_PATIENCE).await(service, life, probe);
        supervisor.watch(service);
    }

    private PoolRegistry registry(Addresses addresses, String token) {
        return new PoolRegistry(
                new EldrClient(http, JsonMapper.shared(), addresses.calibration(), token),
                new EldrClient(http, JsonMapper.shared(), addresses.router(), token),
                console,
                FIT_PATIENCE);
    }
}
