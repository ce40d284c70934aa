package io.eldr.calibration;

import io.eldr.calibration.schema.MigrateCommand;
import io.eldr.calibration.schema.RegistryClock;
import io.eldr.db.RegistryConfiguration;
import io.eldr.service.access.AccessConfiguration;
import io.eldr.service.problem.InvalidInputAdvice;
import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Starts the calibration service, or with the argument {@code migrate} brings the database's schema up and ends. */
@SpringBootApplication(proxyBeanMethods = false)
@Import({RegistryConfiguration.class, AccessConfiguration.class, InvalidInputAdvice.class})
@EnableConfigurationProperties({EldrProperties.class, CalibrationProperties.class})
public class CalibrationApplication {

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(MigrateCommand.NAME)) {
            System.exit(MigrateCommand.run(args));
        }
        SpringApplication.run(CalibrationApplication.class, args);
    }

    @Bean
    RegistryClock clock() {
        return new RegistryClock(Clock.systemUTC(), System::nanoTime);
    }
}
