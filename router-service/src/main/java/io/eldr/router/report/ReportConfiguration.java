package io.eldr.router.report;

import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keeps what clients report. */
@Configuration(proxyBeanMethods = false)
class ReportConfiguration {

    @Bean
    ClientReports clientReports(InstantSource clock) {
        return new ClientReports(clock);
    }
}
