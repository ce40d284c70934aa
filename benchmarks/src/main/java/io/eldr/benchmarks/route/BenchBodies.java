package io.eldr.benchmarks.route;

import io.eldr.benchmarks.MadeUpRequests;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.RawForm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** The requests that are sent, whole but for their id, whose digits are set before each is sent. */
final class BenchBodies {
    static final int REQUESTS = 512;
    /** The ids' digits, to be overwritten. */
    static final String ID = "0000000000";

    private static final int PROMPT_TOKENS = 64;

    private BenchBodies() {}

    /** Which body is sent where. */
    enum Kind {
        RAW(true, false),
        JSON(false, false),
        EMPTY_RAW(true, true),
        EMPTY_JSON(false, true);

        private final boolean raw;
        private final boolean empty;

        Kind(boolean raw, boolean empty) {
            this.raw = raw;
            this.empty = empty;
        }

        /** Whether the router decides, and so what it decided is to be closed. */
        boolean decides() {
            return !empty;
        }
    }

    /** @param source dense counts of different requests */
    static List<Template> of(Kind kind, MadeUpRequests source, String pool, String token) {
        return IntStream.range(0, REQUESTS)
                .mapToObj(i -> template(kind, source.densePrompt(i), pool, token))
                .toList();
    }

    private static Template template(Kind kind, ExpertCounts counts, String pool, String token) {
        String path = kind.empty ? "/v1/empty" : "/v1/route";
        byte[] body = kind.raw ? RawForm.write(counts) : json(counts, pool);
        String query = kind.raw ? "?pool=" + pool + "&requestId=r" + ID + "&promptTokens=" + PROMPT_TOKENS : "";
        String type = kind.raw ? "application/octet-stream" : "application/json";
        byte[] head = head("POST", path + query, token, "Content-Type: " + type + "\r\nContent-Length: " + body.length);
        byte[] message = new byte[head.length + body.length];
        System.arraycopy(head, 0, message, 0, head.length);
        System.arraycopy(body, 0, message, head.length, body.length);
        return new Template(message, new String(message, StandardCharsets.ISO_8859_1).indexOf("r" + ID) + 1);
    }

    /** The head of a message to the router. */
    static byte[] head(String method, String target, String token, String more) {
        return (method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n" + more
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] json(ExpertCounts counts, String pool) {
        return ("{\"pool\":\"" + pool + "\",\"requestId\":\"r" + ID + "\",\"promptTokens\":" + PROMPT_TOKENS
                        + ",\"signature\":{\"eldr_sig\":\"" + EldrSigForm.write(counts) + "\"}}")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** A message with a place for the id's digits. */
    static final class Template {
        private final byte[] message;
        private final int idAt;

        Template(byte[] message, int idAt) {
            this.message = message;
            this.idAt = idAt;
        }

        /** The message with an id; the array belongs to this template and is overwritten the next time. */
        byte[] withId(long id) {
            long left = id;
            for (int at = idAt + ID.length() - 1; at >= idAt; at--) {
                message[at] = (byte) ('0' + left % 10);
                left /= 10;
            }
            return message;
        }
    }
}
