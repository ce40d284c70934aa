package io.eldr.db.audit;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.repository.Repository;

interface AuditEntryRepository extends Repository<AuditEntry, Long> {
    AuditEntry save(AuditEntry entry);

    List<AuditEntry> findByOrderByIdDesc(Limit limit);

    List<AuditEntry> findByPoolOrderByIdDesc(String pool, Limit limit);
}
