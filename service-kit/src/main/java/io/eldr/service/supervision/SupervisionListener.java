package io.eldr.service.supervision;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/**
 * With {@code eldr.supervised=true}, stops the service when standard input ends. It listens from the moment the
 * configuration is known, so that a supervisor's death is seen while the service still waits for its database. The stop
 * is the JVM's own exit: Spring's shutdown hook closes the context in order, as after SIGTERM; should that hang, the
 * JVM is halted.
 */
public final class SupervisionListener implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    /** The property that switches supervision on. */
    public static final String PROPERTY = "eldr.supervised";

    private static final Duration GRACE = Duration.ofSeconds(20);

    private boolean watching;

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        if (watching || !event.getEnvironment().getProperty(PROPERTY, Boolean.class, false)) {
            return;
        }
        watching = true;
        new SupervisorWatch(System.in, SupervisionListener::exit).start();
    }

    private static void exit() {
        Logger log = LoggerFactory.getLogger(SupervisionListener.class);
        log.info("The supervisor is gone or closed our input: stopping");
        Thread.ofPlatform().name("supervisor-halt").daemon().start(SupervisionListener::haltAfterGrace);
        System.exit(0);
    }

    private static void haltAfterGrace() {
        try {
            Thread.sleep(GRACE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }
}
