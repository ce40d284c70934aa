package io.eldr.calibration.schema;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** The registry in {@code /readyz}. */
@Component("registryHealthIndicator")
class RegistryHealth implements HealthIndicator {
    private final RegistryMonitor monitor;

    RegistryHealth(RegistryMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public Health health() {
        RegistryState state = monitor.state();
        return (state == RegistryState.READY ? Health.up() : Health.outOfService())
                .withDetail("state", state)
                .build();
    }
}
