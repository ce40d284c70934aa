package io.eldr.router;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this router runs ({@code eldr.router}). A bad value or an unknown property stops the start with its name.
 *
 * @param instanceId names this run of the router among its replicas; part of every reservation's id. Generated where it
 *     is not set
 * @param url where other routers reach this one
 * @param dataDir where the last good state is kept for a start without Postgres; not kept where it is not set
 * @param pollInterval how often intent is read without a notification, 100 ms to 1 min
 * @param probe how workers with {@code probe: http} are asked for their health
 * @param reservations how long a decision holds its unit of load
 * @param decisions how many decisions can be explained afterwards
 * @param observations how often the calibration service is told what requests were like
 * @param calibration where the calibration service is
 * @param scrape how engines are asked for their load
 * @param breaker when a decoder whose requests fail gets no more of them
 * @param replicas how other routers are dealt with
 * @param samples how finished requests become samples
 * @param policies see {@code io.eldr.router.policy.PolicyProperties}
 * @param kubernetes see {@code io.eldr.router.discovery.KubernetesProperties}
 */
@ConfigurationProperties(value = "eldr.router", ignoreUnknownFields = false)
public record RouterProperties(
        String instanceId,
        @Nullable URI url,
        @Nullable Path dataDir,
        @DefaultValue("2s") Duration pollInterval,
        @DefaultValue Probe probe,
        @DefaultValue Reservations reservations,
        @DefaultValue Decisions decisions,
        @DefaultValue Observations observations,
        @DefaultValue Calibration calibration,
        @DefaultValue Scrape scrape,
        @DefaultValue Breaker breaker,
        @DefaultValue Replicas replicas,
        @DefaultValue Samples samples,
        @DefaultValue Map<String, Object> policies,
        @DefaultValue Map<String, Object> kubernetes) {

    private static final Pattern INSTANCE_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,63}");

    /** @param instanceId null where it is not configured */
    public RouterProperties(
            @Nullable String instanceId,
            @Nullable URI url,
            @Nullable Path dataDir,
            @DefaultValue("2s") Duration pollInterval,
            @DefaultValue Probe probe,
            @DefaultValue Reservations reservations,
            @DefaultValue Decisions decisions,
            @DefaultValue Observations observations,
            @DefaultValue Calibration calibration,
            @DefaultValue Scrape scrape,
            @DefaultValue Breaker breaker,
            @DefaultValue Replicas replicas,
            @DefaultValue Samples samples,
            @DefaultValue Map<String, Object> policies,
            @DefaultValue Map<String, Object> kubernetes) {
        this.instanceId = instanceId == null || instanceId.isBlank() ? generatedId() : instanceId;
        this.url = url;
        this.dataDir = dataDir;
        this.pollInterval = pollInterval;
        this.probe = probe;
        this.reservations = reservations;
        this.decisions = decisions;
        this.observations = observations;
        this.calibration = calibration;
        this.scrape = scrape;
        this.breaker = breaker;
        this.replicas = replicas;
        this.samples = samples;
        this.policies = policies;
        this.kubernetes = kubernetes;
        if (!INSTANCE_ID.matcher(this.instanceId).matches()) {
            throw new IllegalArgumentException("eldr.router.instance-id must be 1 to 64 letters, digits or '-'");
        }
        requireRange("eldr.router.poll-interval", pollInterval, Duration.ofMillis(100), Duration.ofMinutes(1));
        if (replicas.timeout().compareTo(pollInterval.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("eldr.router.replicas.timeout must be at least twice "
                    + "eldr.router.poll-interval, with which routers give signs of life, but is " + replicas.timeout());
        }
    }

    /** Where the last good state is kept, if anywhere. */
    public Optional<Path> lastGoodDirectory() {
        return Optional.ofNullable(dataDir);
    }

    /** Where other routers reach this one, if it was said. */
    public Optional<URI> advertisedUrl() {
        return Optional.ofNullable(url);
    }

    /**
     * @param interval the time between two probes of a worker, 100 ms to 5 min
     * @param timeout how long a worker may take to answer, 10 ms to 1 min
     * @param healthyThreshold how many answers in a row make a worker READY, 1 to 100
     * @param unhealthyThreshold how many failures in a row eject a READY worker, 1 to 100
     */
    public record Probe(
            @DefaultValue("1s") Duration interval,
            @DefaultValue("2s") Duration timeout,
            @DefaultValue("1") int healthyThreshold,
            @DefaultValue("3") int unhealthyThreshold) {
        public Probe {
            requireRange("eldr.router.probe.interval", interval, Duration.ofMillis(100), Duration.ofMinutes(5));
            requireRange("eldr.router.probe.timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(1));
            requireRange("eldr.router.probe.healthy-threshold", healthyThreshold, 100);
            requireRange("eldr.router.probe.unhealthy-threshold", unhealthyThreshold, 100);
        }
    }

    /** @param lease how long a reservation lives where its request does not say it, 1 s to 600 s */
    public record Reservations(@DefaultValue("60s") Duration lease) {
        public Reservations {
            requireRange("eldr.router.reservations.lease", lease, Duration.ofSeconds(1), Duration.ofSeconds(600));
        }
    }

    /** @param keep how many decisions are kept to be explained, 1 to 100,000; the oldest goes first */
    public record Decisions(@DefaultValue("4096") int keep) {
        public Decisions {
            requireRange("eldr.router.decisions.keep", keep, 100_000);
        }
    }

    /** @param interval the time between two posts of what was observed, 100 ms to 10 min */
    public record Observations(@DefaultValue("10s") Duration interval) {
        public Observations {
            requireRange("eldr.router.observations.interval", interval, Duration.ofMillis(100), Duration.ofMinutes(10));
        }
    }

    /**
     * @param url where the calibration service is; it is not called where it is not set
     * @param token what it knows this router by, of role client; goes with the url
     * @param sslBundle whose authorities an https url's certificate must be from; those of the JVM where it is null
     * @param settle how long the decoders must have stayed the same before a topology refit is asked for, 100 ms to 1 h
     */
    public record Calibration(
            @Nullable URI url,
            @Nullable String token,
            @Nullable String sslBundle,
            @DefaultValue("30s") Duration settle) {
        public Calibration {
            token = token == null || token.isBlank() ? null : token;
            if (url != null && !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                throw new IllegalArgumentException("eldr.router.calibration.url must be an http or https URL");
            }
            if ((url == null) != (token == null)) {
                throw new IllegalArgumentException(
                        "eldr.router.calibration.url and eldr.router.calibration.token must be set together");
            }
            requireRange("eldr.router.calibration.settle", settle, Duration.ofMillis(100), Duration.ofHours(1));
        }

        /** Where the calibration service is and what it knows this router by; empty where it is not to be called. */
        public Optional<Target> target() {
            return url == null || token == null ? Optional.empty() : Optional.of(new Target(url, token));
        }

        /** Without the token, which is nobody's to read. */
        @Override
        public String toString() {
            return "Calibration[url=" + url + ", sslBundle=" + sslBundle + ", settle=" + settle + "]";
        }
    }

    /** Where the calibration service is and how to be known there. */
    public record Target(URI url, String token) {
        /** Without the token, which is nobody's to read. */
        @Override
        public String toString() {
            return "Target[url=" + url + "]";
        }
    }

    /**
     * @param interval the time between two readings of an engine's metrics, 20 ms to 1 min; what it said counts for three
     * @param timeout how long an engine may take to give its page, 10 ms to 1 min
     */
    public record Scrape(
            @DefaultValue("1s") Duration interval,
            @DefaultValue("1s") Duration timeout) {
        public Scrape {
            requireRange("eldr.router.scrape.interval", interval, Duration.ofMillis(20), Duration.ofMinutes(1));
            requireRange("eldr.router.scrape.timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        }
    }

    /**
     * @param failures how many requests in a row must fail to eject a decoder, 1 to 1,000
     * @param openFor how long it then gets none before one may try, 10 ms to 10 min; doubled each time that one fails
     * @param longest how long that may become, up to 1 h and no less than openFor
     */
    public record Breaker(
            @DefaultValue("5") int failures,
            @DefaultValue("5s") Duration openFor,
            @DefaultValue("1m") Duration longest) {
        public Breaker {
            requireRange("eldr.router.breaker.failures", failures, 1_000);
            requireRange("eldr.router.breaker.open-for", openFor, Duration.ofMillis(10), Duration.ofMinutes(10));
            requireRange("eldr.router.breaker.longest", longest, openFor, Duration.ofHours(1));
        }
    }

    /**
     * @param timeout without a new sign of life for so long another router is dead, 200 ms to 10 min and at least twice the
     *     poll interval
     * @param forwardTimeout how long another router may take to answer what is sent on to it, 10 ms to 1 min
     * @param sslBundle whose authorities the certificate of another router with an https url must be from, whatever name it
     *     bears: routers are reached by address. Those of the JVM, and the right name, where it is null
     */
    public record Replicas(
            @DefaultValue("10s") Duration timeout,
            @DefaultValue("1s") Duration forwardTimeout,
            @Nullable String sslBundle) {
        public Replicas {
            requireRange("eldr.router.replicas.timeout", timeout, Duration.ofMillis(200), Duration.ofMinutes(10));
            requireRange(
                    "eldr.router.replicas.forward-timeout",
                    forwardTimeout,
                    Duration.ofMillis(10),
                    Duration.ofMinutes(1));
        }
    }

    /**
     * @param interval the time between two posts, 100 ms to 10 min
     * @param queue how many samples may wait for it, 1 to 100,000; more are dropped. One of Qwen3-30B takes up to 48 KiB
     * @param open of how many open requests the counts are kept until they end, 1 to 100,000
     */
    public record Samples(
            @DefaultValue("1s") Duration interval,
            @DefaultValue("512") int queue,
            @DefaultValue("1024") int open) {
        public Samples {
            requireRange("eldr.router.samples.interval", interval, Duration.ofMillis(100), Duration.ofMinutes(10));
            requireRange("eldr.router.samples.queue", queue, 100_000);
            requireRange("eldr.router.samples.open", open, 100_000);
        }
    }

    private static void requireRange(String property, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    property + " must be between " + min + " and " + max + " but is " + value);
        }
    }

    private static void requireRange(String property, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(property + " must be between 1 and " + max + " but is " + value);
        }
    }

    private static String generatedId() {
        return "router-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }
}
