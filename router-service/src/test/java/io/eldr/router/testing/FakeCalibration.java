package io.eldr.router.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A calibration service that writes down what it is sent and answers what it is told to. */
public final class FakeCalibration implements AutoCloseable {
    public static final String TOKEN = "token-of-the-router";

    private final HttpServer server;
    private final List<Post> posts = new CopyOnWriteArrayList<>();
    private final AtomicInteger status = new AtomicInteger(200);

    public FakeCalibration() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::take);
        server.start();
    }

    /**
     * A call that came in.
     *
     * @param raw the body, a character for each byte
     */
    public record Post(String path, String authorization, String raw) {
        public byte[] bytes() {
            return raw.getBytes(StandardCharsets.ISO_8859_1);
        }

        public String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        public JsonNode json() {
            return JsonMapper.shared().readTree(text());
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        posts.add(new Post(
                exchange.getRequestURI().getPath(),
                Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), ""),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1)));
        exchange.sendResponseHeaders(status.get(), -1);
        exchange.close();
    }

    public void answer(int newStatus) {
        status.set(newStatus);
    }

    /** What came in at a path, oldest first. */
    public List<Post> posts(String path) {
        return posts.stream().filter(post -> post.path().equals(path)).toList();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The settings of a router that calls this. */
    public String[] properties(String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "eldr.router.calibration.url=" + url(),
                "eldr.router.calibration.token=" + TOKEN,
                "eldr.router.calibration.settle=200ms",
                "eldr.router.observations.interval=200ms",
                "eldr.router.samples.interval=200ms"));
        properties.addAll(List.of(more));
        return properties.toArray(String[]::new);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
