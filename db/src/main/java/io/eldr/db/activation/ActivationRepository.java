package io.eldr.db.activation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface ActivationRepository extends Repository<Activation, Long> {
    Activation saveAndFlush(Activation activation);

    Optional<Activation> findFirstByPoolIdOrderByGenerationDesc(long poolId);

    Optional<Activation> findFirstByPoolIdAndVersionOrderByGenerationAsc(long poolId, int version);

    Optional<Activation> findFirstByPoolIdAndGenerationLessThanOrderByGenerationDesc(long poolId, long generation);

    Optional<Activation> findFirstByPoolIdAndActivatedAtLessThanEqualOrderByActivatedAtDescGenerationDesc(
            long poolId, Instant at);

    List<Activation> findByPoolIdOrderByGenerationDesc(long poolId, Limit limit);

    @Query("select coalesce(max(a.version), 0) from Activation a where a.poolId = :poolId")
    int largestVersion(long poolId);

    /** The last generation of the pools that have had this name; routers know pools by name. */
    @Query(
            "select coalesce(max(a.generation), 0) from Activation a join Pool p on p.id = a.poolId where p.name = :name")
    long lastGeneration(String name);
}
