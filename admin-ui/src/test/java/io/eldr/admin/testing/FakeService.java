package io.eldr.admin.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A service behind the dashboard, over real HTTP: answers what a test says and keeps what it was asked. */
public final class FakeService implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private final List<Call> calls = new CopyOnWriteArrayList<>();

    /** Answers one call. */
    @FunctionalInterface
    public interface Handler {
        void answer(HttpExchange exchange) throws IOException;
    }

    /** What was asked. */
    public record Call(String method, String path, Map<String, List<String>> headers, String body) {
        public Optional<String> header(String name) {
            return headers.entrySet().stream()
                    .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                    .map(entry -> entry.getValue().getFirst())
                    .findFirst();
        }
    }

    private FakeService(HttpServer server) {
        this.server = server;
    }

    public static FakeService start() {
        return startAt(0);
    }

    public static FakeService startAt(int port) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            FakeService service = new FakeService(server);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", service::handle);
            server.start();
            return service.on("GET /v1/routers", "[]");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param call such as {@code GET /v1/pools}; the query counts where it is named */
    public FakeService on(String call, String json) {
        return on(call, 200, "application/json", json);
    }

    public FakeService on(String call, int status, String contentType, String body) {
        return on(call, exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", contentType);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        });
    }

    public FakeService on(String call, Handler handler) {
        handlers.put(call, handler);
        return this;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI uri = exchange.getRequestURI();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            calls.add(new Call(
                    exchange.getRequestMethod(),
                    uri.getRawPath() + query,
                    Map.copyOf(exchange.getRequestHeaders()),
                    body));
            String call = exchange.getRequestMethod() + " " + uri.getRawPath();
            Handler handler = handlers.getOrDefault(call + query, handlers.getOrDefault(call, FakeService::unknown));
            handler.answer(exchange);
        }
    }

    private static void unknown(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
        byte[] body =
                "{\"type\":\"https://eldr.io/problems/not-found\",\"status\":404,\"title\":\"There is no such thing\"}"
                        .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(404, body.length);
        exchange.getResponseBody().write(body);
    }

    /** All calls so far but those of the gatherer. */
    public List<Call> calls(String method, String path) {
        return calls.stream()
                .filter(call -> call.method().equals(method) && call.path().equals(path))
                .toList();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
