package io.eldr.launcher.up;

import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.supervision.Child;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Waits until a service says that it is ready. */
final class Readiness {

    private static final Duration PERIOD = Duration.ofMillis(150);

    private final HttpClient http;
    private final Duration patience;

    /** @param patience how long a service may take */
    Readiness(HttpClient http, Duration patience) {
        this.http = http;
        this.patience = patience;
    }

    /**
     * @param probe what answers with 200 when it is ready
     * @throws CommandFailedException with the service's log if it ends or takes too long
     */
    void await(Child child, Child.Running life, URI probe) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!isReady(probe)) {
            if (!life.isAlive()) {
                throw new CommandFailedException(child.name() + " ended while starting", child.log());
            }
            if (System.nanoTime() > deadline) {
                throw new CommandFailedException(
                        child.name() + " is not ready after " + patience.toSeconds() + " seconds", child.log());
            }
            Pauses.sleep(PERIOD);
        }
    }

    private boolean isReady(URI probe) {
        HttpRequest request =
                HttpRequest.newBuilder(probe).timeout(Duration.ofSeconds(5)).build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }
}
