package io.eldr.router.calibration;

import io.eldr.router.RouterProperties;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Whom this router calls beside Postgres, if anybody. */
@Configuration(proxyBeanMethods = false)
class CalibrationConfiguration {
    private static final Logger log = LoggerFactory.getLogger(CalibrationConfiguration.class);

    /** There is always one, so that whoever posts need not ask whether there is. */
    @Bean
    CalibrationLink calibrationLink(RouterProperties properties, JsonMapper json, SslBundles bundles) {
        Optional<SSLContext> trust = Optional.ofNullable(
                        properties.calibration().sslBundle())
                .map(name -> bundles.getBundle(name).createSslContext());
        CalibrationLink link = new CalibrationLink(
                properties.calibration().target().map(target -> new CalibrationClient(target, json, trust)));
        if (link.client().isEmpty()) {
            log.info("eldr.router.calibration.url is not set: drift is not watched, no topology refit is asked for");
        }
        return link;
    }
}
