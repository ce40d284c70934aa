package io.eldr.router.gateway;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which headers go through the gateway, and which end at it. */
final class PassedHeaders {
    /** Those of one connection (RFC 9110, section 7.6.1), and those that the gateway writes anew. */
    private static final Set<String> ONE_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "host",
            "content-length",
            "expect");

    /** What would let a client choose workers or ranks: only the gateway may. */
    private static final Set<String> ROUTING = Set.of(
            "x-data-parallel-rank",
            "x-prefiller-host-port",
            "x-prefiller-url",
            "x-decoder-host-port",
            "x-worker-instance-id",
            "x-request-id",
            "accept-encoding");

    private static final Set<String> ROUTING_PREFIXES = Set.of("x-eldr-", "x-gateway-", "x-llm-d-");

    private PassedHeaders() {}

    /** What of a client's request an engine gets to see. */
    static void toEngine(HttpHeaders client, boolean withAuthorization, HttpHeaders engine) {
        Set<String> named = named(client.getAll(HttpHeaderNames.CONNECTION));
        for (Map.Entry<String, String> header : client) {
            String lower = header.getKey().toLowerCase(Locale.ROOT);
            boolean passes = !ONE_HOP.contains(lower)
                    && !named.contains(lower)
                    && !ROUTING.contains(lower)
                    && !startsForRouting(lower)
                    && (withAuthorization || !lower.equals("authorization"));
            if (passes) {
                engine.add(header.getKey(), header.getValue());
            }
        }
    }

    private static boolean startsForRouting(String lower) {
        for (String prefix : ROUTING_PREFIXES) {
            if (lower.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** What of an engine's answer the client gets to see. */
    static void toClient(HttpHeaders engine, HttpHeaders client) {
        Set<String> named = named(engine.getAll(HttpHeaderNames.CONNECTION));
        for (Map.Entry<String, String> header : engine) {
            String lower = header.getKey().toLowerCase(Locale.ROOT);
            boolean ends = (ONE_HOP.contains(lower) && !lower.equals("content-length")) || named.contains(lower);
            if (!ends) {
                client.add(header.getKey(), header.getValue());
            }
        }
    }

    /** The headers that a connection header declares to be of this hop only. */
    private static Set<String> named(List<String> connection) {
        if (connection.isEmpty()) {
            return Set.of();
        }
        Set<String> named = new TreeSet<>();
        for (String value : connection) {
            named.addAll(Arrays.stream(value.split(",", -1))
                    .map(name -> name.strip().toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet()));
        }
        return named;
    }
}
