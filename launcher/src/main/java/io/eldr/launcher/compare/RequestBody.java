package io.eldr.launcher.compare;

import io.eldr.core.trace.TraceRequest;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a completion that uses a recorded request's experts. Traces hold no text, so the prompt is made up: as many
 * tokens as were recorded, and a beginning that no other request has.
 */
final class RequestBody {
    /** How many characters a simulated engine takes for a token. */
    private static final int TOKEN_CHARACTERS = 4;

    private RequestBody() {}

    /** @param model the pool, as clients name it */
    static String of(String model, TraceRequest request, int maxTokens) {
        String unit = request.id() + " " + request.domain() + " ";
        int length = TOKEN_CHARACTERS * Math.max(1, request.prefillTokens());
        String prompt = unit.repeat(Math.ceilDiv(length, unit.length())).substring(0, length);
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("model", model)
                .put("prompt", prompt)
                .put("max_tokens", maxTokens)
                .put("stream", true);
        body.putObject("sim").put("request", request.id());
        return body.toString();
    }
}
