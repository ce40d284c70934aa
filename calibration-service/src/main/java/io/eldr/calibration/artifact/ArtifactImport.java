package io.eldr.calibration.artifact;

import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.pool.PoolSlots;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.ReferenceJson;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.pool.Pool;
import io.eldr.service.access.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes artifacts that were made elsewhere as new versions; nothing is activated by it. */
@Service
class ArtifactImport {
    private final PoolDirectory pools;
    private final PoolSlots slots;
    private final Publisher publisher;
    private final TransactionTemplate transactions;

    ArtifactImport(PoolDirectory pools, PoolSlots slots, Publisher publisher, TransactionTemplate transactions) {
        this.pools = pools;
        this.slots = slots;
        this.publisher = publisher;
        this.transactions = transactions;
    }

    /**
     * @param json the authors' router file, which knows neither top-k nor revision nor slots
     * @throws InvalidInputException naming the part of the file that is wrong or does not fit the pool
     */
    ArtifactView authorsJson(String poolName, byte[] json, Caller caller) {
        ModelIdentity identity = pools.require(poolName).identity();
        RoutingArtifact read = ReferenceJson.read(json, identity.geometry().topK(), identity.revision());
        return publish(poolName, read, "L", "e", caller);
    }

    /**
     * @param bytes as {@code ./eldr calibrate} writes it, too, where the model's revision is empty
     * @throws InvalidInputException naming the part of the artifact that is wrong or does not fit the pool
     */
    ArtifactView binary(String poolName, byte[] bytes, Caller caller) {
        pools.require(poolName);
        return publish(poolName, ArtifactCodec.decode(bytes), "layers", "experts", caller);
    }

    /** Takes what was read already: the pool is locked only for what changes it. */
    private ArtifactView publish(String poolName, RoutingArtifact read, String layers, String experts, Caller caller) {
        return transactions.execute(status -> {
            Pool pool = pools.lock(poolName);
            RoutingArtifact stamped = withRevision(read, pool.identity().revision());
            requireIdentity(pool.identity(), stamped.model(), layers, experts);
            return publish(pool, stamped, caller);
        });
    }

    /** An artifact that does not say its model's revision is of the pool's, as the authors' files are. */
    private static RoutingArtifact withRevision(RoutingArtifact read, String revision) {
        ModelIdentity model = read.model();
        if (!model.revision().isEmpty()) {
            return read;
        }
        return new RoutingArtifact(
                new ModelIdentity(model.name(), revision, model.geometry()),
                read.spec(),
                read.centroids(),
                read.slots(),
                read.recommendedTau(),
                read.evidence());
    }

    private ArtifactView publish(Pool pool, RoutingArtifact read, Caller caller) {
        RoutingArtifact bound = hasNoSlots(read) ? read.boundTo(slotsFor(read.clusters(), pool)) : read;
        Artifact published = publisher.publish(pool, bound, Optional.empty(), Audit.actor(caller));
        return ArtifactView.brief(pool.name(), published, false);
    }

    /** Fits of the command line and the authors' files number their clusters instead of naming slots. */
    private static boolean hasNoSlots(RoutingArtifact artifact) {
        return artifact.slots().equals(numbers(artifact.clusters()));
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    /**
     * The pool's slots in order, as many as there are clusters. Clusters beyond them keep names that no slot of the pool has:
     * routers treat these as slots that are missing.
     */
    private List<String> slotsFor(int clusters, Pool pool) {
        List<String> known = slots.decoders(pool.id());
        List<String> bound = new ArrayList<>(known.subList(0, Math.min(clusters, known.size())));
        for (int i = bound.size(); i < clusters; i++) {
            String free = Integer.toString(i);
            bound.add(known.contains(free) ? "unbound-" + free : free);
        }
        return bound;
    }

    private static void requireIdentity(ModelIdentity pool, ModelIdentity file, String layers, String experts) {
        requireSame("model", pool.name(), file.name());
        requireSame("revision", pool.revision(), file.revision());
        requireSame(layers, pool.geometry().layers(), file.geometry().layers());
        requireSame(experts, pool.geometry().experts(), file.geometry().experts());
        requireSame("topK", pool.geometry().topK(), file.geometry().topK());
    }

    private static void requireSame(String field, Object pool, Object file) {
        if (!Objects.equals(pool, file)) {
            throw new InvalidInputException(field, "must be the pool's '" + pool + "' but is '" + file + "'");
        }
    }
}
