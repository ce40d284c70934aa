package io.eldr.helm;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** As much of an API server as templates ask when they look something up. Helm finds it by the kubeconfig that it writes. */
final class FakeCluster {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAMESPACES = "/api/v1/namespaces/";

    private final Map<String, Map<String, Object>> objects = new ConcurrentHashMap<>();

    private FakeCluster() {}

    /** Starts one for the rest of the JVM's life. */
    static FakeCluster start(Path kubeconfig) {
        FakeCluster cluster = new FakeCluster();
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", cluster::answer);
            server.start();
            Files.writeString(kubeconfig, """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    users: [{name: u, user: {token: t}}]
                    contexts: [{name: x, context: {cluster: c, user: u}}]
                    current-context: x
                    """.formatted(server.getAddress().getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cluster;
    }

    /** Lets a namespace be one of a cluster, which every namespace with this account is. */
    void namespace(String name) {
        objects.put(
                NAMESPACES + name + "/serviceaccounts/default", object("ServiceAccount", "default", name, Map.of()));
    }

    void secret(String namespace, String name, Map<String, String> content) {
        Map<String, String> data = new TreeMap<>();
        content.forEach((key, value) ->
                data.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        objects.put(
                NAMESPACES + namespace + "/secrets/" + name, object("Secret", name, namespace, Map.of("data", data)));
    }

    private static Map<String, Object> object(String kind, String name, String namespace, Map<String, ?> more) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "v1");
        object.put("kind", kind);
        object.put("metadata", Map.of("name", name, "namespace", namespace));
        object.putAll(more);
        return object;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Optional<Map<String, Object>> found =
                path.equals("/api/v1") ? Optional.of(resources()) : Optional.ofNullable(objects.get(path));
        byte[] body = JSON.writeValueAsBytes(found.orElseGet(() ->
                Map.of("apiVersion", "v1", "kind", "Status", "status", "Failure", "reason", "NotFound", "code", 404)));
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(found.isPresent() ? 200 : 404, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Map<String, Object> resources() {
        return Map.of(
                "apiVersion",
                "v1",
                "kind",
                "APIResourceList",
                "groupVersion",
                "v1",
                "resources",
                List.of(resource("secrets", "Secret"), resource("serviceaccounts", "ServiceAccount")));
    }

    private static Map<String, Object> resource(String name, String kind) {
        return Map.of("name", name, "singularName", "", "namespaced", true, "kind", kind, "verbs", List.of("get"));
    }
}
