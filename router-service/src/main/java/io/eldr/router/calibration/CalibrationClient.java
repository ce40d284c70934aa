package io.eldr.router.calibration;

import io.eldr.router.RouterProperties;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Posts to the calibration service. Whatever goes wrong there is an answer here, logged once and not at every try. */
public final class CalibrationClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CalibrationClient.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Refusals that have nothing to do with what was posted: wrong token, too slow, too much. */
    private static final Set<Integer> NOT_THE_BODYS_FAULT = Set.of(401, 403, 408, 425, 429);

    private final RouterProperties.Target target;
    private final JsonMapper json;
    private final HttpClient http;
    private volatile boolean failing;

    /** @param trust whose certificates an https address may have; those of the JVM's authorities if empty */
    CalibrationClient(RouterProperties.Target target, JsonMapper json, Optional<SSLContext> trust) {
        this.target = target;
        this.json = json;
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(PATIENCE)
                .executor(Executors.newVirtualThreadPerTaskExecutor());
        trust.ifPresent(client::sslContext);
        this.http = client.build();
    }

    /** What became of a post. */
    public sealed interface Answer {}

    /** It was taken. */
    public record Taken() implements Answer {}

    /** It will not be taken as it is, however often it is sent. */
    public record Refused(int status, String body) implements Answer {}

    /** Nobody knows whether it arrived, or it was not looked at: try again. */
    public record Failed(String why) implements Answer {}

    /** @param path below the service's address, beginning with a slash */
    public Answer post(String path, Object body) throws InterruptedException {
        return post(path, "application/json", json.writeValueAsBytes(body));
    }

    /** @param path below the service's address, beginning with a slash */
    public Answer post(String path, String mediaType, byte[] body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(at(path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + target.token())
                .header("Content-Type", mediaType)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        Answer answer = send(request);
        tell(path, answer);
        return answer;
    }

    private Answer send(HttpRequest request) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> sent = http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            // The request's own timeout ends with the headers; this one includes the body.
            HttpResponse<String> response = sent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return answer(response.statusCode(), response.body());
        } catch (ExecutionException e) {
            return new Failed(String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            sent.cancel(true);
            return new Failed("no answer within " + PATIENCE);
        }
    }

    private static Answer answer(int status, String body) {
        if (status >= 200 && status < 300) {
            return new Taken();
        }
        boolean refused = status >= 400 && status < 500 && !NOT_THE_BODYS_FAULT.contains(status);
        return refused ? new Refused(status, body) : new Failed("status " + status + " " + body);
    }

    private void tell(String path, Answer answer) {
        switch (answer) {
            case Taken _ -> {
                if (failing) {
                    failing = false;
                    log.info("The calibration service at {} takes posts again", target.url());
                }
            }
            case Refused(int status, String body) -> log.warn("{} was refused: {} {}", path, status, body);
            case Failed(String why) -> {
                if (!failing) {
                    failing = true;
                    log.warn("{} could not be posted; trying on: {}", path, why);
                }
            }
        }
    }

    private URI at(String path) {
        String base = target.url().toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
