package io.eldr.engine.cluster;

import io.eldr.engine.decode.ModelTime;
import io.eldr.engine.http.ServerSettings;
import io.eldr.engine.transfer.TransferDirectory;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import reactor.netty.resources.LoopResources;

/** Every worker of a cluster, in this process. */
public final class Cluster implements AutoCloseable {
    private static final Duration NO_TIME = Duration.ZERO;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);

    private final ModelTime time;
    private final LoopResources loops = LoopResources.create("engine-sim");
    private final List<SimulatedWorker> workers = new ArrayList<>();

    private Cluster(ModelTime time) {
        this.time = time;
    }

    /** Starts every worker; when this returns, all answer. */
    public static Cluster start(ClusterSettings settings, InstantSource clock) {
        Cluster cluster = new Cluster(new ModelTime(settings.timeScale()));
        try {
            TransferDirectory directory = new TransferDirectory();
            for (int i = 0; i < settings.ports().size(); i++) {
                boolean decodes = i < settings.decoders();
                ServerSettings server = new ServerSettings(
                        settings.host(),
                        settings.ports().get(i),
                        settings.keepAlive(),
                        settings.engine().limits(),
                        settings.signature());
                cluster.workers.add(new SimulatedWorker(
                        decodes ? "decoder-" + i : "prefiller-" + (i - settings.decoders()),
                        decodes ? Role.DECODE : Role.PREFILL,
                        settings.engine(),
                        server,
                        cluster.time,
                        directory,
                        cluster.loops,
                        clock));
            }
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Decoders first, then prefillers. */
    public List<SimulatedWorker> workers() {
        return List.copyOf(workers);
    }

    public SimulatedWorker decoder(int index) {
        return of(Role.DECODE).get(index);
    }

    public SimulatedWorker prefiller(int index) {
        return of(Role.PREFILL).get(index);
    }

    /** Where the workers of a role are. */
    public List<URI> urls(Role role) {
        return of(role).stream().map(SimulatedWorker::url).toList();
    }

    private List<SimulatedWorker> of(Role role) {
        return workers.stream().filter(worker -> worker.role() == role).toList();
    }

    @Override
    public void close() {
        workers.forEach(SimulatedWorker::close);
        time.close();
        loops.disposeLater(NO_TIME, STOP_PATIENCE).block(STOP_PATIENCE.multipliedBy(2));
    }
}
