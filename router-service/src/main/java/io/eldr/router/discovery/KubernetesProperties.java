package io.eldr.router.discovery;

import io.eldr.router.intent.WorkerIntent;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which workers are found in Kubernetes ({@code eldr.router.kubernetes}). A bad value or an unknown property stops the start
 * with its name.
 *
 * @param pools whose workers are found there; none: no cluster is looked for
 * @param relist the longest time between two lists of the same slices, 1 s to 10 min: what a lost event costs at most
 */
@ConfigurationProperties(value = "eldr.router.kubernetes", ignoreUnknownFields = false)
record KubernetesProperties(
        @DefaultValue List<KubernetesPool> pools,
        @DefaultValue("30s") Duration relist) {
    KubernetesProperties {
        pools = List.copyOf(pools);
        if (relist.compareTo(Duration.ofSeconds(1)) < 0 || relist.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException(
                    "eldr.router.kubernetes.relist must be between PT1S and PT10M but is " + relist);
        }
        if (pools.stream().distinct().count() != pools.size()) {
            throw new IllegalArgumentException("eldr.router.kubernetes.pools names the same twice");
        }
    }

    /**
     * Where the workers of one role are.
     *
     * @param pool the pool they belong to, by name
     * @param namespace null: this router's own
     * @param selector of the endpoint slices by their labels, such as {@code kubernetes.io/service-name=decode}
     * @param port where the engines listen; null: as the slice says
     * @param portName which of the slice's ports; null: its first
     */
    record KubernetesPool(
            String pool,
            @Nullable String namespace,
            String selector,
            @Nullable Integer port,
            @Nullable String portName,
            @DefaultValue("decode") WorkerIntent.Role role,
            @DefaultValue("http") WorkerIntent.Probe probe) {
        KubernetesPool {
            require("pool", pool);
            require("selector", selector);
            if (port != null && (port < 1 || port > 65_535)) {
                throw new IllegalArgumentException(
                        "eldr.router.kubernetes.pools[].port must be between 1 and 65535 but is " + port);
            }
            if (port != null && portName != null) {
                throw new IllegalArgumentException(
                        "eldr.router.kubernetes.pools[].port and port-name exclude each other");
            }
        }

        private static void require(String property, @Nullable String value) {
            if (value == null || value.isBlank()) {
                throw new IllegalArgumentException("eldr.router.kubernetes.pools[]." + property + " is missing");
            }
        }
    }
}
