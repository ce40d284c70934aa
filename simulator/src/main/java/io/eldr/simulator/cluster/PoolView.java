package io.eldr.simulator.cluster;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.Incarnation;
import io.eldr.core.routing.ActiveArtifact;
import io.eldr.core.routing.BandRule;
import io.eldr.core.routing.Decoder;
import io.eldr.core.routing.PoolSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What routers know of the pool: its decoders' lives and the active artifact. Each change makes another snapshot. */
final class PoolView {
    private static final String POOL = "simulated";

    private final List<Life> lives = new ArrayList<>();
    private final OptionalDouble tau;
    private final boolean carriesUse;
    private RoutingArtifact artifact;
    private ActiveArtifact active;
    private long version = 1;

    private static final class Life {
        private int count = 1;
        private boolean eligible = true;
        private boolean gone;
    }

    /**
     * @param artifact its clusters are those of the first decoders, in order
     * @param tau empty: the artifact's
     * @param carriesUse whether reservations carry what their requests will use
     */
    PoolView(RoutingArtifact artifact, int decoders, OptionalDouble tau, boolean carriesUse) {
        this.carriesUse = carriesUse;
        this.tau = tau;
        for (int i = 0; i < decoders; i++) {
            lives.add(new Life());
        }
        this.artifact = artifact.boundTo(slots(artifact.clusters()));
        this.active = ActiveArtifact.of(version, this.artifact, live());
    }

    /** The number of the worker that a life belongs to. */
    static int workerOf(Incarnation incarnation) {
        return Integer.parseInt(incarnation.slot().substring(1));
    }

    private static String slot(int worker) {
        return "d" + worker;
    }

    private static List<String> slots(int count) {
        List<String> slots = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            slots.add(slot(i));
        }
        return slots;
    }

    Incarnation incarnation(int worker) {
        return new Incarnation(slot(worker), Integer.toString(lives.get(worker).count));
    }

    /** The cluster that stands for a worker. */
    OptionalInt cluster(int worker) {
        return active.binding()
                .cluster(slot(worker))
                .map(binding -> OptionalInt.of(binding.cluster()))
                .orElse(OptionalInt.empty());
    }

    RoutingArtifact artifact() {
        return artifact;
    }

    /** How wide the band is now. */
    double tau() {
        return tau.orElse(artifact.recommendedTau());
    }

    /** It takes no requests for now. */
    void leave(int worker) {
        lives.get(worker).eligible = false;
    }

    /** It takes no requests any more, and its slot is free. */
    void leaveForGood(int worker) {
        lives.get(worker).eligible = false;
        lives.get(worker).gone = true;
        bind();
    }

    /** It is back, as another incarnation. */
    void comeBack(int worker) {
        lives.get(worker).eligible = true;
        lives.get(worker).count++;
    }

    void add() {
        lives.add(new Life());
        bind();
    }

    void adopt(RoutingArtifact other) {
        version++;
        artifact = other.boundTo(slots(other.clusters()));
        active = ActiveArtifact.of(version, artifact, live());
    }

    private void bind() {
        active = active.boundTo(artifact, live());
    }

    private List<String> live() {
        List<String> live = new ArrayList<>();
        for (int i = 0; i < lives.size(); i++) {
            if (!lives.get(i).gone) {
                live.add(slot(i));
            }
        }
        return live;
    }

    PoolSnapshot snapshot() {
        List<Decoder> eligible = new ArrayList<>();
        for (int i = 0; i < lives.size(); i++) {
            if (lives.get(i).eligible) {
                eligible.add(Decoder.of(incarnation(i), ""));
            }
        }
        BandRule band = new BandRule(tau(), BandRule.defaultMinCandidates(live().size()));
        PoolSnapshot snapshot = PoolSnapshot.of(POOL, version, Optional.of(active), eligible, band, false);
        return carriesUse ? snapshot.withForecast(active.forecast()) : snapshot;
    }
}
