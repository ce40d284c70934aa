package io.eldr.engine.testing;

import io.eldr.engine.cluster.SimulatedWorker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Talks to workers as a router would. */
public final class WorkerClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public static ObjectNode completion(String prompt, int maxTokens) {
        return JsonNodeFactory.instance.objectNode().put("prompt", prompt).put("max_tokens", maxTokens);
    }

    /** A request that runs for so long. */
    public static ObjectNode lasting(String prompt, Duration duration) {
        ObjectNode body = completion(prompt, 4).put("stream", true);
        body.putObject("sim").put("duration_ms", duration.toMillis());
        return body;
    }

    public HttpResponse<String> get(SimulatedWorker worker, String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(worker.url().resolve(path))
                        .timeout(PATIENCE)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    public HttpResponse<String> post(SimulatedWorker worker, String path, ObjectNode body)
            throws IOException, InterruptedException {
        return post(worker, path, body.toString());
    }

    public HttpResponse<String> post(SimulatedWorker worker, String path, String body)
            throws IOException, InterruptedException {
        return http.send(request(worker.url().resolve(path), body), HttpResponse.BodyHandlers.ofString());
    }

    public CompletableFuture<HttpResponse<String>> postLater(SimulatedWorker worker, String path, ObjectNode body) {
        return http.sendAsync(
                request(worker.url().resolve(path), body.toString()), HttpResponse.BodyHandlers.ofString());
    }

    /** For a data-parallel rank. */
    public CompletableFuture<HttpResponse<String>> postLater(
            SimulatedWorker worker, String path, ObjectNode body, String rank) {
        HttpRequest request = HttpRequest.newBuilder(
                        request(worker.url().resolve(path), body.toString()), (_, _) -> true)
                .header("X-data-parallel-rank", rank)
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The answer to {@code /v1/completions}, which must be 200. */
    public JsonNode complete(SimulatedWorker worker, ObjectNode body) throws IOException, InterruptedException {
        return json(post(worker, "/v1/completions", body));
    }

    /** The data of each event of a stream, which must be 200. */
    public List<String> events(SimulatedWorker worker, String path, ObjectNode body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = post(worker, path, body.put("stream", true));
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return events(answer.body());
    }

    public static List<String> events(String body) {
        return body.lines()
                .filter(line -> !line.isEmpty())
                .map(line -> line.substring("data: ".length()))
                .toList();
    }

    /** Orders a fault. */
    public void order(SimulatedWorker worker, String fault) throws IOException, InterruptedException {
        HttpResponse<String> answer = post(worker, "/sim/faults", fault);
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
    }

    public static JsonNode json(HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return parse(answer.body());
    }

    public static JsonNode parse(String body) {
        return JsonMapper.shared().readTree(body);
    }

    private static HttpRequest request(URI uri, String body) {
        return HttpRequest.newBuilder(uri)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
