package io.eldr.router.discovery;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Discovery as configured; without pools to discover, no cluster is looked for. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KubernetesProperties.class)
class DiscoveryConfiguration {

    private static final int CONNECT_MILLIS = 3_000;
    private static final int REQUEST_MILLIS = 5_000;

    @Bean
    WorkerDiscovery workerDiscovery(KubernetesProperties properties) {
        return properties.pools().isEmpty()
                ? WorkerDiscovery.NONE
                : new KubernetesDiscovery(properties, DiscoveryConfiguration::client);
    }

    /** As the pod's service account, or as the kubeconfig says. */
    private static KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(oneTry(Config.autoConfigure(null)))
                .build();
    }

    /** Retries and reconnections are the followers' own, which list again each time. */
    static Config oneTry(Config config) {
        return new ConfigBuilder(config)
                .withConnectionTimeout(CONNECT_MILLIS)
                .withRequestTimeout(REQUEST_MILLIS)
                .withRequestRetryBackoffLimit(0)
                .withWatchReconnectLimit(0)
                .build();
    }
}
