package io.eldr.admin.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A stream of server-sent events, read one after another. */
public final class Events implements AutoCloseable {
    private final BufferedReader lines;

    /** An event; without a name it is a message. */
    public record Event(String name, String data) {
        public JsonNode json() {
            return JsonMapper.shared().readTree(data);
        }
    }

    public Events(HttpResponse<InputStream> answer) {
        this.lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    /** The next event that is not a comment. */
    public Event next() {
        try {
            String name = "message";
            StringBuilder data = new StringBuilder();
            for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    data.append(line.substring("data: ".length()));
                } else if (line.isEmpty() && !data.isEmpty()) {
                    return new Event(name, data.toString());
                }
            }
            throw new IllegalStateException("the stream ended");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
