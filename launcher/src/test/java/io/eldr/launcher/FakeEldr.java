package io.eldr.launcher;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Both services in one, as far as the command line needs them: it keeps the state of the demo's pools in memory, answers
 * over real HTTP and remembers what it was asked.
 */
public final class FakeEldr implements AutoCloseable {

    /**
     * One call, as it arrived.
     *
     * @param body its bytes, one in each char
     */
    public record Call(String method, String path, String authorization, String body) {
        @Override
        public String toString() {
            return method + " " + path;
        }

        public String text() {
            return new String(body.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }
    }

    /** What an earlier start has left behind. */
    public enum Interrupted {
        NOTHING,
        /** A refit that is still running. */
        OPEN_REFIT,
        /** A refit that ends just before the next one is asked for, which finds nothing new. */
        REFIT_AT_ITS_END
    }

    private static final Pattern POOL = Pattern.compile("/v1/pools/([^/]+)(.*)");

    private final HttpServer server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Set<String> samples = new HashSet<>();
    /** By pool and slot. */
    private final Map<String, Map<String, JsonNode>> workers = new TreeMap<>();

    private final Map<String, JsonNode> pools = new TreeMap<>();
    /** The active version of each pool that has one. */
    private final Map<String, Integer> versions = new TreeMap<>();

    private final int version;
    private Interrupted interrupted = Interrupted.NOTHING;
    private boolean askedForDecoders;

    /** One that knows no pool yet, on any port. */
    public FakeEldr() throws IOException {
        this(0, 0);
    }

    /**
     * @param port where to listen; 0 for any
     * @param version the artifact version that every pool runs from the beginning; 0 for none
     */
    public FakeEldr(int port, int version) throws IOException {
        this.version = version;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    /** Whatever follows finds what an interrupted start has left behind. */
    public synchronized void leave(Interrupted state) {
        interrupted = state;
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Every call but those that ask whether it is ready. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Call call = new Call(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            if (call.path().equals("/readyz") || call.path().equals("/health")) {
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            calls.add(call);
            answer(exchange, call);
        }
    }

    private synchronized void answer(HttpExchange exchange, Call call) throws IOException {
        String path = call.path().replaceAll("\\?.*", "");
        Matcher ofPool = POOL.matcher(path);
        if (ofPool.matches() && !path.endsWith("/refits/7")) {
            answer(exchange, call, ofPool.group(1), call.method() + " " + ofPool.group(2));
            return;
        }
        switch (call.method() + " " + path) {
            case "POST /v1/pools" -> {
                JsonNode pool = JsonMapper.shared().readTree(call.text());
                pools.put(pool.path("name").asString(), pool);
                send(exchange, 201, call.text());
            }
            case "GET /v1/pools/demo/refits/7" -> {
                versions.put("demo", 1);
                send(exchange, 200, "{\"id\":7,\"state\":\"SUCCEEDED\"}");
            }
            case "POST /v1/route" ->
                send(exchange, 200, "{\"decoder\":{\"id\":\"decoder-3\"},\"reservation\":{\"id\":\"a/b\"}}");
            case "POST /v1/reservations/a%2Fb/close" -> exchange.sendResponseHeaders(204, -1);
            case "GET /not-json" -> send(exchange, 200, "<html>");
            case "GET /refused" -> send(exchange, 400, "{\"detail\":\"counts: too short\",\"field\":\"counts\"}");
            case "GET /v1/models" ->
                send(exchange, 200, "{\"data\":[{\"id\":\"served\",\"root\":\"Qwen/Qwen3-30B-A3B\"}]}");
            default -> send(exchange, 404, "nothing here");
        }
    }

    private void answer(HttpExchange exchange, Call call, String pool, String what) throws IOException {
        Map<String, JsonNode> slots = workers.computeIfAbsent(pool, name -> new TreeMap<>());
        switch (what) {
            case "GET " ->
                send(
                        exchange,
                        pools.containsKey(pool) ? 200 : 404,
                        String.valueOf(pools.getOrDefault(pool, JsonNodeFactory.instance.objectNode())));
            case "POST /samples" -> send(exchange, 200, take(call.body().getBytes(StandardCharsets.ISO_8859_1)));
            case "GET /workers" -> send(exchange, 200, slots.values().toString());
            case "GET /refits" ->
                send(
                        exchange,
                        200,
                        interrupted == Interrupted.OPEN_REFIT ? "[{\"id\":7,\"state\":\"RUNNING\"}]" : "[]");
            case "POST /refits" -> {
                versions.merge(pool, 1, Integer::sum);
                send(exchange, 202, "{\"id\":\"r1\",\"state\":\"QUEUED\"}");
            }
            case "GET /refits/r1" ->
                send(
                        exchange,
                        200,
                        "{\"id\":\"r1\",\"state\":\""
                                + (interrupted == Interrupted.REFIT_AT_ITS_END ? "REJECTED" : "SUCCEEDED")
                                + "\",\"stage\":\"publish\"}");
            case "GET /artifacts/1/binary" -> send(exchange, 200, "the artifact of " + pool);
            case "POST /artifacts" -> send(exchange, 201, "{\"version\":1}");
            case "POST /activations" -> {
                versions.put(pool, 1);
                send(exchange, 201, "{\"version\":1}");
            }
            case "GET /decoders" -> send(exchange, 200, "{\"decoders\":[" + decoder() + "]}");
            case "GET /activations/current", "GET /artifact" -> {
                int active = versions.getOrDefault(pool, version);
                send(exchange, active == 0 ? 404 : 200, "{\"version\":" + active + ",\"generation\":1}");
            }
            default -> {
                String slot = what.substring(what.lastIndexOf('/') + 1);
                if (what.startsWith("PUT /workers/")) {
                    slots.put(slot, ((ObjectNode) JsonMapper.shared().readTree(call.text())).put("slot", slot));
                    send(exchange, 201, call.text());
                } else if (what.startsWith("DELETE /workers/")) {
                    slots.remove(slot);
                    exchange.sendResponseHeaders(204, -1);
                } else {
                    send(exchange, 404, "nothing here");
                }
            }
        }
    }

    /** The router's answer about a decoder, which is not ready the first time. */
    private String decoder() {
        String state = askedForDecoders ? "READY" : "PENDING";
        askedForDecoders = true;
        return "{\"id\":\"decoder-0\",\"state\":\"" + state + "\"}";
    }

    /** Walks through a batch in the binary form by the lengths it states. */
    private String take(byte[] body) {
        ByteBuffer batch = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        int accepted = 0;
        int duplicates = 0;
        for (int at = 16; at < body.length; at += 4 + batch.getInt(at)) {
            String id = new String(body, at + 20, batch.getShort(at + 6), StandardCharsets.UTF_8);
            if (samples.add(id)) {
                accepted++;
            } else {
                duplicates++;
            }
        }
        return "{\"accepted\":" + accepted + ",\"duplicates\":" + duplicates + "}";
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
