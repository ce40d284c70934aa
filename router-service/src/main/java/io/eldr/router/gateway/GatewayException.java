package io.eldr.router.gateway;

import java.util.Optional;

/** The gateway's own refusal or failure, answered in OpenAI's form. */
final class GatewayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kinds, as metrics and clients tell them apart. */
    enum Kind {
        INVALID_REQUEST(400, "invalid_request_error", "invalid_request"),
        UNAUTHORIZED(401, "invalid_request_error", "invalid_api_key"),
        MODEL_NOT_FOUND(404, "invalid_request_error", "model_not_found"),
        NO_CHAT(404, "invalid_request_error", "not_a_chat_model"),
        METHOD_NOT_ALLOWED(405, "invalid_request_error", "method_not_allowed"),
        BODY_TOO_LARGE(413, "invalid_request_error", "body_too_large"),
        SATURATED(429, "rate_limit_error", "all_decoders_at_capacity"),
        INTERNAL(500, "server_error", "internal"),
        PREFILL_FAILED(502, "server_error", "prefill_failed"),
        NO_TRANSFER(502, "server_error", "no_kv_transfer_params"),
        DECODE_FAILED(502, "server_error", "decode_failed"),
        NO_PREFILLER(503, "server_error", "no_prefiller_ready"),
        NO_DECODER(503, "server_error", "no_decoder_ready"),
        HANDOFF_TIMEOUT(504, "server_error", "handoff_timeout"),
        ENGINE_TIMEOUT(504, "server_error", "engine_timeout");

        private final int status;
        private final String type;
        private final String code;

        Kind(int status, String type, String code) {
            this.status = status;
            this.type = type;
            this.code = code;
        }

        int status() {
            return status;
        }

        String type() {
            return type;
        }

        String code() {
            return code;
        }

        /** Whether the same request may succeed a moment later. */
        boolean passes() {
            return status == 429 || status == 503;
        }
    }

    private final Kind kind;
    private final Optional<String> param;

    GatewayException(Kind kind, String message) {
        this(kind, Optional.empty(), message);
    }

    /** @param param the field at fault */
    GatewayException(Kind kind, Optional<String> param, String message) {
        super(message, null, false, false);
        this.kind = kind;
        this.param = param;
    }

    /** @param param the field at fault */
    static GatewayException invalid(String param, String message) {
        return new GatewayException(Kind.INVALID_REQUEST, Optional.of(param), message);
    }

    /** A fault of the gateway itself, of which its log tells more. */
    static GatewayException internal() {
        return new GatewayException(Kind.INTERNAL, "The gateway failed; its log says why.");
    }

    Kind kind() {
        return kind;
    }

    Optional<String> param() {
        return param;
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
