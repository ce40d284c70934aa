package io.eldr.router;

import io.eldr.service.access.AccessConfiguration;
import io.eldr.service.problem.InvalidInputAdvice;
import io.eldr.service.tracing.TracingConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/** Starts the router. */
@SpringBootApplication
@Import({AccessConfiguration.class, InvalidInputAdvice.class, TracingConfiguration.class})
@EnableConfigurationProperties({EldrProperties.class, RouterProperties.class})
public class RouterApplication {

    public static void main(String[] args) {
        SpringApplication.run(RouterApplication.class, args);
    }
}
