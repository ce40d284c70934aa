package io.eldr.db;

import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.audit.AuditLog;
import io.eldr.db.drift.DriftStore;
import io.eldr.db.sample.NewSamples;
import io.eldr.db.sample.SampleRetention;
import io.eldr.db.sample.SampleStore;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/**
 * Brings the registry to a service that has a data source: import it. The service provides one {@link
 * java.time.InstantSource} bean, and sets {@code spring.jpa.hibernate.ddl-auto=validate} if it wants Hibernate to compare
 * entities and schema at its start; the schema itself is only ever changed by {@link io.eldr.db.schema.Schema}.
 */
@Configuration(proxyBeanMethods = false)
@EntityScan(basePackageClasses = RegistryConfiguration.class)
@EnableJpaRepositories(basePackageClasses = RegistryConfiguration.class)
@Import({
    ActivationLedger.class,
    ArtifactStore.class,
    AuditLog.class,
    DriftStore.class,
    NewSamples.class,
    SampleRetention.class,
    SampleStore.class
})
public class RegistryConfiguration {}
