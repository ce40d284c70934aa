package io.eldr.calibration.artifact;

import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ReferenceJson;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.artifact.ArtifactContent;
import io.eldr.db.artifact.ArtifactRepository;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.pool.Pool;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Reads artifact versions. */
@Service
class ArtifactService {
    private static final int NONE = 0;

    private final PoolDirectory pools;
    private final ArtifactRepository artifacts;
    private final ArtifactStore store;
    private final ActivationLedger ledger;
    private final JsonMapper json;

    ArtifactService(
            PoolDirectory pools,
            ArtifactRepository artifacts,
            ArtifactStore store,
            ActivationLedger ledger,
            JsonMapper json) {
        this.pools = pools;
        this.artifacts = artifacts;
        this.store = store;
        this.ledger = ledger;
        this.json = json;
    }

    @Transactional(readOnly = true)
    public List<ArtifactView> all(String poolName) {
        Pool pool = pools.require(poolName);
        int active = active(pool);
        return artifacts.findByPoolIdOrderByVersionDesc(pool.id()).stream()
                .map(artifact -> ArtifactView.brief(poolName, artifact, artifact.version() == active))
                .toList();
    }

    @Transactional(readOnly = true)
    public ArtifactView one(String poolName, int version) {
        Pool pool = pools.require(poolName);
        Artifact artifact = require(pool, version);
        return ArtifactView.brief(poolName, artifact, version == active(pool)).with(artifact, json);
    }

    /** The SHA-256 of a version's binary, in hex. */
    @Transactional(readOnly = true)
    public String sha256(String poolName, int version) {
        return require(pools.require(poolName), version).sha256();
    }

    @Transactional(readOnly = true)
    public byte[] binary(String poolName, int version) {
        return content(pools.require(poolName), version).bytes();
    }

    /** The authors' router file of a version. */
    @Transactional(readOnly = true)
    public byte[] authorsJson(String poolName, int version) {
        byte[] bytes = content(pools.require(poolName), version).bytes();
        try {
            return ReferenceJson.write(ArtifactCodec.decode(bytes));
        } catch (InvalidInputException cannot) {
            throw Problems.exception(
                    ProblemType.CONFLICT, "Version " + version + " cannot be exported: " + cannot.getMessage());
        }
    }

    private int active(Pool pool) {
        return ledger.current(pool.id()).map(Activation::version).orElse(NONE);
    }

    private Artifact require(Pool pool, int version) {
        return artifacts.findByPoolIdAndVersion(pool.id(), version).orElseThrow(() -> unknown(pool, version));
    }

    private ArtifactContent content(Pool pool, int version) {
        return store.content(pool.id(), version).orElseThrow(() -> unknown(pool, version));
    }

    private static RuntimeException unknown(Pool pool, int version) {
        return Problems.exception(
                ProblemType.NOT_FOUND, "The pool '" + pool.name() + "' has no version " + version + ".");
    }
}
