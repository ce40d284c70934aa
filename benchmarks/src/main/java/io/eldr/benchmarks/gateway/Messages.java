package io.eldr.benchmarks.gateway;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The requests that are sent: 64 different prompts of 2 KiB in turn, 16 tokens asked for, streamed. Whole HTTP messages, made
 * once.
 */
final class Messages {
    static final String MODEL = "bench";
    static final int TOKENS = 16;

    private static final int PROMPTS = 64;
    private static final int PROMPT_BYTES = 2_048;
    private static final int LETTERS = 26;
    private static final long SEED = 1;
    private static final String PATH = "/v1/completions";
    private static final byte[] PARAMS = Exchange.ascii("\"kv_transfer_params\":");
    private static final byte[] SIGNATURE = Exchange.ascii(",\"eldr_sig\":\"");
    private static final String PRODUCE =
            "{\"do_remote_decode\":true,\"do_remote_prefill\":false,\"remote_engine_id\":null,"
                    + "\"remote_block_ids\":null,\"remote_host\":null,\"remote_port\":null}";

    private final List<byte[]> whole;
    private final List<byte[]> prefill;
    private final List<String> decodeHead;
    private int sent;

    Messages() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> prompts =
                IntStream.range(0, PROMPTS).mapToObj(i -> prompt(random)).toList();
        whole = prompts.stream()
                .map(prompt -> post(body(prompt, TOKENS, true, "")))
                .toList();
        prefill = prompts.stream()
                .map(prompt -> post(body(prompt, 1, false, ",\"kv_transfer_params\":" + PRODUCE)))
                .toList();
        decodeHead = prompts.stream()
                .map(prompt -> {
                    String body = body(prompt, TOKENS, true, "");
                    return body.substring(0, body.length() - 1) + ",\"kv_transfer_params\":";
                })
                .toList();
    }

    /** The number of the next request. */
    int next() {
        return sent++ % PROMPTS;
    }

    /** What a client sends that knows of one server only. */
    byte[] whole(int request) {
        return whole.get(request);
    }

    /** What a client sends to the prefill worker that does the gateway's work itself. */
    byte[] prefill(int request) {
        return prefill.get(request);
    }

    /** What it sends to the decode worker then: the same with what the prefill worker said, less the signature. */
    byte[] decode(int request, Exchange prefilled) {
        int from = prefilled.find(PARAMS, 0, prefilled.length()) + PARAMS.length;
        int signature = prefilled.find(SIGNATURE, from, prefilled.length());
        if (from < PARAMS.length || signature < 0) {
            throw new IllegalStateException("no kv_transfer_params with eldr_sig in: " + prefilled.text());
        }
        int end = signature + SIGNATURE.length;
        while (prefilled.bytes()[end] != '"') {
            end++;
        }
        end++;
        int close = end;
        while (prefilled.bytes()[close] != '}') {
            close++;
        }
        String params = new String(prefilled.bytes(), from, signature - from, StandardCharsets.US_ASCII)
                + new String(prefilled.bytes(), end, close + 1 - end, StandardCharsets.US_ASCII);
        return post(decodeHead.get(request) + params + "}");
    }

    /** An answer that takes so long, with tokens at even distances. */
    static byte[] held(int tokens, int millis) {
        return post("{\"model\":\"" + MODEL + "\",\"prompt\":\"held\",\"max_tokens\":" + tokens
                + ",\"stream\":true,\"sim\":{\"duration_ms\":" + millis + "}}");
    }

    static byte[] get(String path) {
        return Exchange.ascii("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private static String prompt(SplittableRandom random) {
        StringBuilder text = new StringBuilder(PROMPT_BYTES);
        while (text.length() < PROMPT_BYTES) {
            text.append((char) ('a' + random.nextInt(LETTERS)));
        }
        return text.toString();
    }

    private static String body(String prompt, int tokens, boolean stream, String more) {
        return "{\"model\":\"" + MODEL + "\",\"prompt\":\"" + prompt + "\",\"max_tokens\":" + tokens + ",\"stream\":"
                + stream + more + "}";
    }

    private static byte[] post(String body) {
        return Exchange.ascii("POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }
}
