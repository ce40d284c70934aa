package io.eldr.calibration.job;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import com.github.kagkarlsson.scheduler.exceptions.ExecutionException;
import com.github.kagkarlsson.shaded.jdbc.SQLRuntimeException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.springframework.stereotype.Component;

/** Lets the scheduler and what it stands on say in one line, without the stack of each thread, that the registry is away. */
@Component
class SchedulerLog implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SchedulerLog.class);
    private static final List<String> WORDY =
            List.of("com.github.kagkarlsson.scheduler", "com.zaxxer.hikari", "org.springframework.transaction");

    private final Shortening shortening = new Shortening();

    SchedulerLog() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.addTurboFilter(shortening);
        }
    }

    @Override
    public void close() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getTurboFilterList().remove(shortening);
        }
    }

    private static final class Shortening extends TurboFilter {
        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                ch.qos.logback.classic.Logger logger,
                Level level,
                @Nullable String format,
                Object @Nullable [] parameters,
                @Nullable Throwable given) {
            Throwable failure = given == null ? lastOf(parameters) : given;
            if (failure == null
                    || !level.isGreaterOrEqual(Level.INFO)
                    || WORDY.stream().noneMatch(logger.getName()::startsWith)
                    || !isOfTheRegistry(failure)) {
                return FilterReply.NEUTRAL;
            }
            log.warn("For want of the registry: {}: {}", logger.getName(), failure.toString());
            return FilterReply.DENY;
        }

        /** The scheduler's own failures too: a row that another replica took over, a connection that was closed under it. */
        private static boolean isOfTheRegistry(Throwable failure) {
            return failure instanceof SQLRuntimeException
                    || failure instanceof ExecutionException
                    || RegistryFailures.mayPass(failure);
        }

        /** Where a message has parameters, what failed is the last of them. */
        private static @Nullable Throwable lastOf(Object @Nullable [] parameters) {
            return parameters != null
                            && parameters.length > 0
                            && parameters[parameters.length - 1] instanceof Throwable last
                    ? last
                    : null;
        }
    }
}
