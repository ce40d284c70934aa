package io.eldr.helm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/**
 * As much of Kubernetes as Helm needs to install and upgrade with {@code --wait}: it keeps objects, refuses to change a Job's
 * pod or a selector as an API server does, and has {@link Controllers}.
 */
final class ApiServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final List<String> log = new ArrayList<>();
    private final ReleaseStore releases = new ReleaseStore();
    private final HttpServer server;
    private final Controllers controllers = new Controllers(objects.values());
    private int uids;

    ApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    String kubeconfig() {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """.formatted(server.getAddress().getPort());
    }

    /** Whether there is room for the pods of Deployments. */
    synchronized void podsComeUp(boolean comeUp) {
        controllers.podsComeUp(comeUp);
    }

    synchronized void postgresAnswers(boolean answers) {
        controllers.postgresAnswers(answers);
    }

    /** Names of the objects of a kind that there are, such as {@code jobs}. */
    synchronized List<String> names(String plural) {
        return objects.keySet().stream()
                .filter(path -> path.contains("/" + plural + "/"))
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .toList();
    }

    /** What was made, changed and deleted, in order, such as {@code POST jobs/x}. */
    synchronized List<String> log() {
        return List.copyOf(log);
    }

    synchronized JsonNode object(String plural, String name) {
        return objects.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("/" + plural + "/" + name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Answer answer;
        synchronized (this) {
            String method = exchange.getRequestMethod();
            String path = exchange.getRequestURI().getPath();
            String query =
                    Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
            answer = aboutReleases(method, path, query, body).orElseGet(() -> answer(method, path, query, body));
        }
        exchange.getResponseHeaders().set("Content-Type", answer.type);
        exchange.sendResponseHeaders(answer.status, answer.body.length);
        exchange.getResponseBody().write(answer.body);
        exchange.close();
    }

    private static final class Answer {
        private final int status;
        private final String type;
        private final byte[] body;

        Answer(int status, String type, byte[] body) {
            this.status = status;
            this.type = type;
            this.body = body;
        }

        Answer(int status, JsonNode body) {
            this(status, "application/json", bytes(body));
        }

        private static byte[] bytes(JsonNode body) {
            try {
                return JSON.writeValueAsBytes(body);
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** What Helm keeps about its releases. */
    private Optional<Answer> aboutReleases(String method, String path, String query, byte[] body) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        boolean one = name.startsWith("sh.helm.release");
        boolean all = name.equals("secrets") && (query.contains("owner=helm") || isBinary(body));
        if (!one && !all) {
            return Optional.empty();
        }
        return Optional.of(
                switch (method) {
                    case "POST" -> binary(201, releases.put(body));
                    case "PUT" -> binary(200, releases.put(body));
                    case "DELETE" ->
                        releases.remove(name)
                                ? new Answer(
                                        200,
                                        JSON.createObjectNode()
                                                .put("kind", "Status")
                                                .put("apiVersion", "v1"))
                                : notFound(path);
                    default ->
                        all
                                ? binary(200, releases.list(selector(query)))
                                : releases.get(name)
                                        .map(found -> binary(200, found))
                                        .orElseGet(() -> notFound(path));
                });
    }

    private static boolean isBinary(byte[] body) {
        return body.length > 4 && body[0] == 'k' && body[3] == 0;
    }

    private static Answer binary(int status, byte[] body) {
        return new Answer(status, ReleaseStore.CONTENT_TYPE, body);
    }

    private static Map<String, String> selector(String query) {
        Map<String, String> labels = new TreeMap<>();
        for (String parameter : query.split("&", -1)) {
            if (parameter.startsWith("labelSelector=")) {
                for (String pair :
                        parameter.substring("labelSelector=".length()).split(",", -1)) {
                    String[] parts = pair.split("=", 2);
                    labels.put(parts[0], parts[1]);
                }
            }
        }
        return labels;
    }

    private Answer answer(String method, String path, String query, byte[] body) {
        Optional<JsonNode> kinds = method.equals("GET") ? ApiKinds.discovery(path) : Optional.empty();
        if (kinds.isPresent()) {
            return new Answer(200, kinds.get());
        }
        String[] parts = path.split("/namespaces/[^/]+/?", 2);
        String rest = parts.length < 2 ? "" : parts[1];
        boolean isObject = rest.contains("/");
        if (rest.isEmpty()) {
            return notFound(path);
        }
        return switch (method) {
            case "GET" -> isObject ? get(path) : new Answer(200, list(path, query));
            case "POST" -> create(path, read(body));
            case "PATCH", "PUT" -> change(path, rest, read(body), method.equals("PUT"));
            case "DELETE" -> delete(path, rest);
            default -> notFound(path);
        };
    }

    private static ObjectNode read(byte[] body) {
        try {
            return (ObjectNode) JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer get(String path) {
        ObjectNode found = objects.get(path);
        return found == null ? notFound(path) : new Answer(200, controllers.withStatus(found));
    }

    private ObjectNode list(String path, String query) {
        String plural = path.substring(path.lastIndexOf('/') + 1);
        String group = path.substring(0, path.indexOf("/namespaces/"));
        ObjectNode list = JSON.createObjectNode()
                .put("kind", ApiKinds.kind(group, plural) + "List")
                .put("apiVersion", group.replaceFirst("^/apis?/", ""));
        list.putObject("metadata").put("resourceVersion", "1");
        ArrayNode items = list.putArray("items");
        if (path.endsWith("/replicasets")) {
            objects.values().stream()
                    .filter(object -> object.path("kind").asText().equals("Deployment"))
                    .forEach(deployment -> items.add(controllers.replicaSet(deployment)));
            return list;
        }
        objects.forEach((at, object) -> {
            if (at.startsWith(path + "/") && matches(object, query)) {
                items.add(controllers.withStatus(object));
            }
        });
        return list;
    }

    private static boolean matches(JsonNode object, String query) {
        return selector(query).entrySet().stream()
                .allMatch(label -> object.at("/metadata/labels")
                        .path(label.getKey())
                        .asText()
                        .equals(label.getValue()));
    }

    private Answer create(String path, ObjectNode object) {
        String name = object.at("/metadata/name").asText();
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        metadata.put("uid", "uid-" + uids++).put("resourceVersion", "1").put("generation", 1);
        if (object.path("kind").asText().equals("Service")
                && !object.at("/spec").has("clusterIP")) {
            ((ObjectNode) object.get("spec")).put("clusterIP", "10.96.0." + uids);
        }
        objects.put(path + "/" + name, object);
        note("POST", path.substring(path.lastIndexOf('/') + 1) + "/" + name);
        return new Answer(201, object);
    }

    private Answer change(String path, String rest, ObjectNode change, boolean whole) {
        ObjectNode present = objects.get(path);
        if (present == null) {
            return notFound(path);
        }
        ObjectNode wanted = whole ? change : present.deepCopy();
        if (!whole) {
            StrategicMerge.merge(wanted, change);
        }
        for (String fixed :
                rest.startsWith("jobs/") ? List.of("/spec/template", "/spec/selector") : List.of("/spec/selector")) {
            if (!rest.startsWith("services/") && !wanted.at(fixed).equals(present.at(fixed))) {
                return new Answer(422, status(422, "Invalid", rest + ": " + fixed + ": field is immutable"));
            }
        }
        if (!wanted.equals(present)) {
            note("PATCH", rest);
        }
        objects.put(path, wanted);
        return new Answer(200, wanted);
    }

    private Answer delete(String path, String rest) {
        ObjectNode gone = objects.remove(path);
        if (gone == null) {
            return notFound(path);
        }
        note("DELETE", rest);
        return new Answer(200, gone);
    }

    private void note(String deed, String object) {
        log.add(deed + " " + object);
    }

    private static Answer notFound(String path) {
        return new Answer(404, status(404, "NotFound", path + " is not here"));
    }

    private static ObjectNode status(int code, String reason, String message) {
        return JSON.createObjectNode()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("reason", reason)
                .put("message", message)
                .put("code", code);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
