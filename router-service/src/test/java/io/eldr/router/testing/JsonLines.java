package io.eldr.router.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a logger says as a service says it with {@code logging.structured.format.console=ecs}, while this is open. */
public final class JsonLines implements AutoCloseable {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    private final Logger logger;
    private final Optional<Level> before;

    private JsonLines(LoggerContext context, String name) {
        logger = context.getLogger(name);
        before = Optional.ofNullable(logger.getLevel());
        StructuredLogEncoder encoder = new StructuredLogEncoder();
        encoder.setContext(context);
        encoder.setFormat("ecs");
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(written);
        appender.start();
        logger.setLevel(Level.DEBUG);
        logger.addAppender(appender);
    }

    /** @param logger from whose level debug on everything counts */
    public static JsonLines of(String logger) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            throw new IllegalStateException("services log by Logback");
        }
        return new JsonLines(context, logger);
    }

    /** Each line that was written; fails where one is no JSON. */
    public List<JsonNode> all() {
        return written.toString(StandardCharsets.UTF_8)
                .lines()
                .map(JsonMapper.shared()::readTree)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before.orElse(null));
        appender.stop();
    }
}
