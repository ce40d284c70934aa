package io.eldr.db.audit;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Says who changed what. An entry is written in the transaction of the change, so that neither exists without the other. */
@Component
public class AuditLog {
    private final AuditEntryRepository entries;
    private final InstantSource clock;

    AuditLog(AuditEntryRepository entries, InstantSource clock) {
        this.entries = entries;
        this.clock = clock;
    }

    /** @throws org.springframework.transaction.IllegalTransactionStateException outside a transaction */
    @Transactional(propagation = Propagation.MANDATORY)
    public AuditEntry append(Actor actor, Change change) {
        return entries.save(new AuditEntry(actor, change, clock.instant()));
    }

    /** The newest entries, newest first: of one pool, or of all and of what belongs to no pool. */
    @Transactional(readOnly = true)
    public List<AuditEntry> newest(Optional<String> pool, int limit) {
        return pool.map(name -> entries.findByPoolOrderByIdDesc(name, Limit.of(limit)))
                .orElseGet(() -> entries.findByOrderByIdDesc(Limit.of(limit)));
    }
}
