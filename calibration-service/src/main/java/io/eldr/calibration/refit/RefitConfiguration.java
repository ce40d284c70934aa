package io.eldr.calibration.refit;

import io.eldr.core.calibration.Calibrator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RefitConfiguration {
    /** The core's own; tests put others in its place. */
    @Bean
    @ConditionalOnMissingBean
    Fitting fitting() {
        return new Calibrator()::calibrate;
    }
}
