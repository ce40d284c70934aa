package io.eldr.engine.testing;

import io.eldr.core.cost.DecoderModel;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.signature.Geometry;
import io.eldr.engine.cluster.Cluster;
import io.eldr.engine.cluster.ClusterSettings;
import io.eldr.engine.http.SignatureForm;
import io.eldr.engine.recording.MadeUpRouting;
import io.eldr.engine.recording.Recordings;
import io.eldr.engine.request.RequestLimits;
import io.eldr.engine.worker.EngineSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;

/** Small clusters on free ports, whose model takes no time unless told otherwise. */
public record TestCluster(
        int prefillers,
        int decoders,
        double timeScale,
        int ranks,
        int maxSequences,
        int prefixCacheTokens,
        Duration lease,
        Duration keepAlive,
        SignatureForm signature,
        ModelConstants constants) {
    public static final Geometry GEOMETRY = new Geometry(4, 16, 2);
    public static final Recordings RECORDINGS = MadeUpRouting.of(GEOMETRY, 7);
    public static final String MODEL = "tiny \"moe\"";
    public static final String ADAPTER = "tiny-lora";

    public static TestCluster of(int prefillers, int decoders) {
        return new TestCluster(
                prefillers,
                decoders,
                0,
                1,
                256,
                4_096,
                Duration.ofMinutes(5),
                Duration.ofMinutes(1),
                SignatureForm.ELDR_SIG,
                ModelConstants.scaledToQwen(GEOMETRY.layers(), GEOMETRY.experts()));
    }

    public TestCluster withTimeScale(double scale) {
        return new TestCluster(
                prefillers,
                decoders,
                scale,
                ranks,
                maxSequences,
                prefixCacheTokens,
                lease,
                keepAlive,
                signature,
                constants);
    }

    public TestCluster withRanks(int number) {
        return new TestCluster(
                prefillers,
                decoders,
                timeScale,
                number,
                maxSequences,
                prefixCacheTokens,
                lease,
                keepAlive,
                signature,
                constants);
    }

    public TestCluster withMaxSequences(int max) {
        return new TestCluster(
                prefillers, decoders, timeScale, ranks, max, prefixCacheTokens, lease, keepAlive, signature, constants);
    }

    public TestCluster withLease(Duration other) {
        return new TestCluster(
                prefillers,
                decoders,
                timeScale,
                ranks,
                maxSequences,
                prefixCacheTokens,
                other,
                keepAlive,
                signature,
                constants);
    }

    public TestCluster withSignature(SignatureForm form) {
        return new TestCluster(
                prefillers,
                decoders,
                timeScale,
                ranks,
                maxSequences,
                prefixCacheTokens,
                lease,
                keepAlive,
                form,
                constants);
    }

    public Cluster start() {
        return Cluster.start(
                new ClusterSettings(
                        prefillers,
                        decoders,
                        "127.0.0.1",
                        Collections.nCopies(prefillers + decoders, 0),
                        timeScale,
                        keepAlive,
                        signature,
                        new EngineSettings(
                                new DecoderModel(constants),
                                RECORDINGS,
                                new RequestLimits(List.of(MODEL, ADAPTER), 4_096),
                                ranks,
                                maxSequences,
                                prefixCacheTokens,
                                lease)),
                InstantSource.system());
    }
}
