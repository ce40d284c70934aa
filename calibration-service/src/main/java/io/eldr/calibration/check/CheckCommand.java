package io.eldr.calibration.check;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code java -jar eldr-calibration-service.jar check URL..}: asks each URL until it answers 200, as a person would with curl,
 * from inside a cluster where there is no curl. {@code ELDR_TOKEN_FILE} names a file with the token to send,
 * {@code ELDR_CA_FILE} one with the certificates to trust, {@code ELDR_CHECK_PATIENCE} how long to try (60s).
 */
public final class CheckCommand {
    public static final String NAME = "check";

    private static final Logger log = LoggerFactory.getLogger(CheckCommand.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final HttpClient http;
    private final Optional<String> token;
    private final long until;

    private CheckCommand(HttpClient http, Optional<String> token, Duration patience) {
        this.http = http;
        this.token = token;
        this.until = System.nanoTime() + patience.toNanos();
    }

    /**
     * @param args {@code check} and then URLs
     * @return the exit status: 0 if all answered 200, 1 if not, 2 for wrong usage
     */
    public static int run(Map<String, String> environment, String... args) {
        List<URI> targets = new ArrayList<>();
        try {
            for (String arg : List.of(args).subList(1, args.length)) {
                targets.add(URI.create(arg));
            }
            CheckCommand check = new CheckCommand(
                    client(Optional.ofNullable(environment.get("ELDR_CA_FILE"))),
                    read(Optional.ofNullable(environment.get("ELDR_TOKEN_FILE"))),
                    Optional.ofNullable(environment.get("ELDR_CHECK_PATIENCE"))
                            .map(text -> Duration.parse("PT" + text))
                            .orElse(PATIENCE));
            if (targets.isEmpty()) {
                log.error("check needs at least one URL");
                return 2;
            }
            return check.all(targets) ? 0 : 1;
        } catch (IllegalArgumentException | IOException | GeneralSecurityException e) {
            log.error("check cannot start: {}", e.toString());
            return 2;
        }
    }

    private boolean all(List<URI> targets) {
        boolean well = true;
        for (URI target : targets) {
            Optional<String> wrong = await(target);
            if (wrong.isPresent()) {
                log.error("{}: {}", target, wrong.get());
                well = false;
            } else {
                log.info("{}: 200", target);
            }
        }
        return well;
    }

    private Optional<String> await(URI target) {
        while (true) {
            Optional<String> wrong = ask(target);
            if (wrong.isEmpty() || System.nanoTime() + PAUSE.toNanos() > until) {
                return wrong;
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return wrong;
            }
        }
    }

    private Optional<String> ask(URI target) {
        HttpRequest.Builder request = HttpRequest.newBuilder(target).timeout(ANSWER);
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200
                    ? Optional.empty()
                    : Optional.of("status " + answer.statusCode() + " " + answer.body());
        } catch (IOException e) {
            return Optional.of(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    private static Optional<String> read(Optional<String> file) throws IOException {
        return file.isEmpty()
                ? Optional.empty()
                : Optional.of(Files.readString(Path.of(file.get())).strip());
    }

    private static HttpClient client(Optional<String> authorities) throws IOException, GeneralSecurityException {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER);
        if (authorities.isPresent()) {
            client.sslContext(trusting(Path.of(authorities.get())));
        }
        return client.build();
    }

    private static SSLContext trusting(Path certificates) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(certificates)) {
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
