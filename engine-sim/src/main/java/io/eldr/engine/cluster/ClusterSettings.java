package io.eldr.engine.cluster;

import io.eldr.engine.http.SignatureForm;
import io.eldr.engine.worker.EngineSettings;
import java.time.Duration;
import java.util.List;

/**
 * A whole xPyD cluster.
 *
 * @param prefillers x
 * @param decoders y
 * @param host the address that every worker listens on
 * @param ports one for each worker, decoders first, then prefillers; 0 for any
 * @param timeScale real seconds for each second of the model; 0 lets everything happen at once
 * @param keepAlive after how long an idle connection is closed
 * @param signature in which form prefill answers tell the experts
 * @param engine how each worker works
 */
public record ClusterSettings(
        int prefillers,
        int decoders,
        String host,
        List<Integer> ports,
        double timeScale,
        Duration keepAlive,
        SignatureForm signature,
        EngineSettings engine) {
    /** @throws IllegalArgumentException naming the setting */
    public ClusterSettings {
        ports = List.copyOf(ports);
        if (prefillers < 0 || decoders < 0 || prefillers + decoders < 1) {
            throw new IllegalArgumentException("a cluster needs at least one worker");
        }
        if (ports.size() != prefillers + decoders) {
            throw new IllegalArgumentException(
                    "there are " + ports.size() + " ports for " + (prefillers + decoders) + " workers");
        }
        if (!keepAlive.isPositive()) {
            throw new IllegalArgumentException("keep-alive must be positive but is " + keepAlive);
        }
    }
}
