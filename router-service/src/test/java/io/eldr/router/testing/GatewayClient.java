package io.eldr.router.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A client of OpenAI's API, of a router or of an engine. */
public final class GatewayClient implements AutoCloseable {
    public static final String COMPLETIONS = "/v1/completions";
    public static final String CHAT = "/v1/chat/completions";

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI base;

    public GatewayClient(URI base) {
        this.base = base;
    }

    /** Of the shared router. */
    public static GatewayClient ofRouter() {
        return new GatewayClient(URI.create("http://127.0.0.1:" + SharedRouter.ROUTER.port()));
    }

    public static ObjectNode completion(String model, String prompt, int maxTokens) {
        return JSON.createObjectNode().put("model", model).put("prompt", prompt).put("max_tokens", maxTokens);
    }

    public static ObjectNode chat(String model, String content, int maxTokens) {
        ObjectNode body = JSON.createObjectNode().put("model", model);
        body.putArray("messages").addObject().put("role", "user").put("content", content);
        return body.put("max_tokens", maxTokens);
    }

    public HttpResponse<String> complete(JsonNode body) {
        return post(COMPLETIONS, body.toString());
    }

    public HttpResponse<String> post(String path, String body) {
        return send(request(path, body));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public CompletableFuture<HttpResponse<String>> completeLater(JsonNode body) {
        return sendLater(request(COMPLETIONS, body.toString()));
    }

    public CompletableFuture<HttpResponse<String>> sendLater(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The answer as soon as its head is there. */
    public CompletableFuture<HttpResponse<InputStream>> begin(JsonNode body) {
        return http.sendAsync(request(COMPLETIONS, body.toString()).build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    public HttpRequest.Builder request(String path, String body) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** Sends a request over a connection of its own, to be read or closed at will. */
    public Socket open(String path, JsonNode body) throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), base.getPort());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                                + bytes.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(bytes);
        return socket;
    }

    /** The data of the events of a stream. */
    public static List<String> events(String body) {
        return body.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring("data: ".length()))
                .toList();
    }

    public static JsonNode error(HttpResponse<String> answer) {
        return JSON.readTree(answer.body()).path("error");
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
