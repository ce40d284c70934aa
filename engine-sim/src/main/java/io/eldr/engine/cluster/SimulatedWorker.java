package io.eldr.engine.cluster;

import io.eldr.engine.decode.ModelTime;
import io.eldr.engine.fault.FaultCommand;
import io.eldr.engine.fault.Faults;
import io.eldr.engine.http.Connections;
import io.eldr.engine.http.ServerSettings;
import io.eldr.engine.http.WorkerControl;
import io.eldr.engine.http.WorkerServer;
import io.eldr.engine.metrics.WorkerGauges;
import io.eldr.engine.metrics.WorkerMetrics;
import io.eldr.engine.request.FinishReason;
import io.eldr.engine.transfer.TransferDirectory;
import io.eldr.engine.worker.Engine;
import io.eldr.engine.worker.EngineSettings;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A worker on its port through all its lives: each is an engine and a listener of its own. */
public final class SimulatedWorker implements WorkerControl, AutoCloseable {
    /** Enough for the answer to an order to go out before what it orders. */
    private static final Duration MOMENT = Duration.ofMillis(20);

    private final String name;
    private final Role role;
    private final EngineSettings settings;
    private final ModelTime time;
    private final TransferDirectory directory;
    private final LoopResources loops;
    private final InstantSource clock;
    private final Faults faults = new Faults();
    private final Connections connections = new Connections();
    private ServerSettings server;
    private int incarnation = 1;
    private Engine engine;
    private WorkerServer listener;
    private boolean closed;

    SimulatedWorker(
            String name,
            Role role,
            EngineSettings settings,
            ServerSettings server,
            ModelTime time,
            TransferDirectory directory,
            LoopResources loops,
            InstantSource clock) {
        this.name = name;
        this.role = role;
        this.settings = settings;
        this.time = time;
        this.directory = directory;
        this.loops = loops;
        this.clock = clock;
        this.engine = newEngine();
        this.listener = listener(server);
        // The port that was found stays the worker's.
        this.server = server.withPort(listener.port());
    }

    public String name() {
        return name;
    }

    public Role role() {
        return role;
    }

    public synchronized URI url() {
        return URI.create("http://" + server.host() + ":" + server.port());
    }

    public synchronized WorkerGauges gauges() {
        return engine.gauges();
    }

    public synchronized WorkerMetrics metrics() {
        return engine.metrics();
    }

    /** 1 for the first life. */
    public synchronized int incarnation() {
        return incarnation;
    }

    @Override
    public void apply(FaultCommand command) {
        switch (command) {
            case FaultCommand.ForRequests(var fault, int requests) -> faults.arm(fault, requests);
            case FaultCommand.Unready(Duration unready) -> faults.unready(unready);
            case FaultCommand.Clear _ -> faults.clear();
            case FaultCommand.Expire _ -> currentEngine().expireTransfers();
            case FaultCommand.KeepAlive(Duration idle) -> time.afterReal(MOMENT, () -> keepAlive(idle));
            case FaultCommand.Refuse(Duration refused) -> time.afterReal(MOMENT, () -> refuse(refused));
            case FaultCommand.Crash(Duration down, Duration slow) -> time.afterReal(MOMENT, () -> crash(down, slow));
        }
    }

    @Override
    public void finishHeld() {
        currentEngine().finishHeld();
    }

    @Override
    public synchronized ObjectNode state() {
        WorkerGauges now = engine.gauges();
        WorkerMetrics metrics = engine.metrics();
        ObjectNode state = JsonNodeFactory.instance
                .objectNode()
                .put("name", name)
                .put("role", role.text())
                .put("incarnation", incarnation)
                .put("engineId", engine.id())
                .put("ready", faults.isReady())
                .put("running", now.running())
                .put("waiting", now.waiting())
                .put("kvUse", now.kvUse())
                .put("kept", now.pinned())
                .put("steps", metrics.steps())
                .put("stepRequests", metrics.stepRequests())
                .put("activeExperts", metrics.activeExperts())
                .put("meanActiveExperts", metrics.meanActiveExperts());
        ObjectNode ended = state.putObject("ended");
        for (FinishReason reason : FinishReason.values()) {
            ended.put(reason.text(), metrics.ended(reason));
        }
        return state;
    }

    @Override
    public synchronized void close() {
        closed = true;
        listener.stopListening();
        engine.stop();
        connections.resetAll();
    }

    private synchronized Engine currentEngine() {
        return engine;
    }

    private Engine newEngine() {
        return new Engine(name + "-" + Long.toHexString(clock.millis()) + "-" + incarnation, settings, time, directory);
    }

    private WorkerServer listener(ServerSettings where) {
        return new WorkerServer(
                where, engine, settings.recordings(), faults, this, connections, loops, clock.instant());
    }

    private synchronized void keepAlive(Duration idle) {
        if (!closed) {
            listener.stopListening();
            server = server.withKeepAlive(idle);
            listener = listener(server);
        }
    }

    private synchronized void refuse(Duration refused) {
        if (!closed) {
            listener.stopListening();
            time.afterReal(refused, this::listenAgain);
        }
    }

    private synchronized void crash(Duration down, Duration slowStart) {
        if (closed) {
            return;
        }
        listener.stopListening();
        engine.stop();
        connections.resetAll();
        time.afterReal(down, () -> comeBack(slowStart));
    }

    private synchronized void comeBack(Duration slowStart) {
        if (!closed) {
            incarnation++;
            engine = newEngine();
            faults.clear();
            faults.unready(slowStart);
            listener = listener(server);
        }
    }

    private synchronized void listenAgain() {
        if (!closed) {
            listener = listener(server);
        }
    }
}
