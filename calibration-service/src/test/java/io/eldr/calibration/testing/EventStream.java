package io.eldr.calibration.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Server-sent events as they come. */
public final class EventStream {
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> end;

    private EventStream(HttpResponse<Stream<String>> response) {
        end = CompletableFuture.runAsync(
                () -> read(response.body()), task -> Thread.ofVirtual().start(task));
    }

    /** One event. */
    public record Event(String name, JsonNode data) {}

    static EventStream open(HttpClient client, HttpRequest.Builder request) {
        HttpResponse<Stream<String>> response =
                client.sendAsync(request.build(), BodyHandlers.ofLines()).join();
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type").orElse("")).startsWith("text/event-stream");
        return new EventStream(response);
    }

    private void read(Stream<String> lines) {
        StringBuilder name = new StringBuilder();
        StringBuilder data = new StringBuilder();
        try (lines) {
            lines.forEach(line -> {
                if (line.startsWith("event:")) {
                    name.append(line.substring("event:".length()));
                } else if (line.startsWith("data:")) {
                    data.append(line.substring("data:".length()));
                } else if (line.isEmpty() && !data.isEmpty()) {
                    events.add(new Event(name.toString(), JsonMapper.shared().readTree(data.toString())));
                    name.setLength(0);
                    data.setLength(0);
                }
            });
        } catch (UncheckedIOException cut) {
            assertThat(events).as("events before the stream was cut").isNotEmpty();
        }
    }

    /** Those that came so far. */
    public List<Event> events() {
        return List.copyOf(events);
    }

    public Event last() {
        return events.getLast();
    }

    /** Whether the server ended the stream. */
    public boolean isOver() {
        return end.isDone();
    }
}
