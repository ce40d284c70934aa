package io.eldr.db;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The least that a service has to have to use the registry. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(RegistryConfiguration.class)
class RegistryApplication {
    @Bean
    AdjustableClock clock() {
        return new AdjustableClock();
    }
}
