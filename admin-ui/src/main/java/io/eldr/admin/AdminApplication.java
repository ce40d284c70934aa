package io.eldr.admin;

import io.eldr.admin.users.PasswordCommand;
import java.time.InstantSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Starts the dashboard, or with the argument {@code hash-password} makes a line for the users file and ends. */
@SpringBootApplication(proxyBeanMethods = false, exclude = UserDetailsServiceAutoConfiguration.class)
@EnableConfigurationProperties({EldrProperties.class, AdminProperties.class})
public class AdminApplication {

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(PasswordCommand.NAME)) {
            System.exit(PasswordCommand.run(args, System.in, System.out, System.err));
        }
        SpringApplication.run(AdminApplication.class, args);
    }

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }
}
