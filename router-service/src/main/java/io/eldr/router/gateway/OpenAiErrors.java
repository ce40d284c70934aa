package io.eldr.router.gateway;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Errors as OpenAI's clients know them: {@code {"error":{message,type,param,code}}}. */
final class OpenAiErrors {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String RETRY_AFTER_SECONDS = "1";
    private static final int CLIENT_ERROR = 400;
    private static final int SERVER_ERROR = 500;

    private OpenAiErrors() {}

    /** The headers of an answer that is such an error. */
    static HttpHeaders headers(GatewayException failure, byte[] body) {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        headers.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        if (failure.kind().passes()) {
            headers.set(HttpHeaderNames.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        if (failure.kind() == GatewayException.Kind.UNAUTHORIZED) {
            headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        return headers;
    }

    static byte[] body(GatewayException failure) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("message", failure.message());
        error.put("type", failure.kind().type());
        error.put("param", failure.param().orElse(null));
        error.put("code", failure.kind().code());
        return JSON.writeValueAsBytes(Map.of("error", error));
    }

    /** An engine's error as it fits into an event: JSON in one line, in OpenAI's form whatever it was. */
    static byte[] oneLine(byte[] body) {
        try {
            JsonNode answer = JSON.readTree(body);
            return JSON.writeValueAsBytes(
                    answer.path("error").isObject()
                            ? answer
                            : Map.of("error", answer.isObject() ? answer : Map.of("message", answer.asString(""))));
        } catch (JacksonException notJson) {
            return JSON.writeValueAsBytes(Map.of(
                    "error", Map.of("message", new String(body, StandardCharsets.UTF_8), "type", "server_error")));
        }
    }

    /**
     * Whether an engine's answer says that the request itself is at fault. vLLM answers some of them, such as prompts that
     * are too long, with 500, and tells in the body.
     */
    static boolean blamesTheClient(int status, byte[] body) {
        if (status < SERVER_ERROR) {
            return status >= CLIENT_ERROR;
        }
        try {
            JsonNode answer = JSON.readTree(body);
            JsonNode error = answer.path("error").isObject() ? answer.path("error") : answer;
            String type = Optional.of(error.path("type"))
                    .filter(JsonNode::isString)
                    .map(JsonNode::stringValue)
                    .orElse("");
            int code = error.path("code").isInt() ? error.path("code").intValue() : 0;
            return type.equals("BadRequestError")
                    || type.equals("invalid_request_error")
                    || (code >= CLIENT_ERROR && code < SERVER_ERROR);
        } catch (JacksonException notJson) {
            return false;
        }
    }
}
