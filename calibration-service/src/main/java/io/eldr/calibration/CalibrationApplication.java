package io.eldr.calibration;

import io.eldr.calibration.check.CheckCommand;
import io.eldr.calibration.schema.RegistryClock;
import io.eldr.calibration.schema.SchemaCommands;
import io.eldr.db.RegistryConfiguration;
import io.eldr.service.access.AccessConfiguration;
import io.eldr.service.problem.InvalidInputAdvice;
import io.eldr.service.tracing.TracingConfiguration;
import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Starts the calibration service. With one of the commands {@code migrate}, {@code await-schema} and {@code check} it does
 * what that says and ends.
 */
@SpringBootApplication(proxyBeanMethods = false)
@Import({RegistryConfiguration.class, AccessConfiguration.class, InvalidInputAdvice.class, TracingConfiguration.class})
@EnableConfigurationProperties({EldrProperties.class, CalibrationProperties.class})
public class CalibrationApplication {

    public static void main(String[] args) {
        switch (args.length == 0 ? "" : args[0]) {
            case SchemaCommands.MIGRATE, SchemaCommands.AWAIT -> System.exit(SchemaCommands.run(args));
            case CheckCommand.NAME -> System.exit(CheckCommand.run(System.getenv(), args));
            default -> SpringApplication.run(CalibrationApplication.class, args);
        }
    }

    @Bean
    RegistryClock clock() {
        return new RegistryClock(Clock.systemUTC(), System::nanoTime);
    }
}
