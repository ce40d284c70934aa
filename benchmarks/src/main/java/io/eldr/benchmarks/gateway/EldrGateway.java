package io.eldr.benchmarks.gateway;

import io.eldr.benchmarks.process.LastGoodState;
import io.eldr.benchmarks.process.LastGoodState.Worker;
import io.eldr.benchmarks.process.ProcessFigures;
import io.eldr.benchmarks.process.RouterProcess;
import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The router with its gateway: one pool of the benchmark's engines, routed by an artifact of random centroids over all 48 layers
 * of 128 experts. They decide nothing sensible, at the price of those that do.
 */
final class EldrGateway implements Server {
    private static final Geometry GEOMETRY = new Geometry(48, 128, 8);
    private static final double TAU = 0.02;
    private static final long SEED = 1;

    private final RouterProcess router;

    private EldrGateway(RouterProcess router) {
        this.router = router;
    }

    /**
     * Starts it and waits until it serves.
     *
     * @param home the checkout, whose jar is run
     * @param folder where its state and its log go
     */
    static EldrGateway start(Path home, Path folder, Engines engines) throws IOException, InterruptedException {
        List<Worker> workers = new ArrayList<>();
        addWorkers(workers, "decoder-", "DECODE", engines.decode());
        addWorkers(workers, "prefiller-", "PREFILL", engines.prefill());
        LastGoodState.write(
                RouterProcess.state(folder),
                Messages.MODEL,
                artifact(engines.decode().size()),
                workers);
        return new EldrGateway(RouterProcess.start(home, folder, List.of(), EldrGateway::serves));
    }

    private static void addWorkers(List<Worker> workers, String slot, String role, List<URI> urls) {
        for (int i = 0; i < urls.size(); i++) {
            workers.add(new Worker(slot + i, role, urls.get(i).toString()));
        }
    }

    private static boolean serves(int port) throws IOException {
        try (Exchange probe = Exchange.to(port)) {
            return probe.exchange(Messages.held(1, 0)) == 200;
        }
    }

    private static RoutingArtifact artifact(int decoders) {
        return new RoutingArtifact(
                new ModelIdentity(Messages.MODEL, "", GEOMETRY),
                SignatureSpec.count(GEOMETRY.layers(), GEOMETRY.experts(), LayerMask.all(GEOMETRY.layers())),
                Centroids.of(decoders, GEOMETRY.cells(), unitVectors(decoders)),
                IntStream.range(0, decoders).mapToObj(i -> "decoder-" + i).toList(),
                TAU,
                Evidence.NONE);
    }

    /** [decoder][cell], each of norm 1. */
    private static float[] unitVectors(int decoders) {
        SplittableRandom random = new SplittableRandom(SEED);
        int cells = GEOMETRY.cells();
        float[] values = new float[decoders * cells];
        for (int decoder = 0; decoder < decoders; decoder++) {
            double squares = 0;
            for (int cell = 0; cell < cells; cell++) {
                float value = random.nextFloat();
                values[decoder * cells + cell] = value;
                squares += value * value;
            }
            for (int cell = 0; cell < cells; cell++) {
                values[decoder * cells + cell] /= (float) Math.sqrt(squares);
            }
        }
        return values;
    }

    @Override
    public String name() {
        return "eldr";
    }

    @Override
    public int port() {
        return router.port();
    }

    @Override
    public ProcessFigures process() {
        return router.figures();
    }

    @Override
    public void close() {
        router.close();
    }
}
