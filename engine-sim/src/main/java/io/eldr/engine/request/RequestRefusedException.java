package io.eldr.engine.request;

import java.util.Optional;

/** A request that the worker answers with an error of vLLM's shape. */
public final class RequestRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String type;
    private final transient Optional<String> param;

    private RequestRefusedException(int status, String type, String message, Optional<String> param) {
        super(message);
        this.status = status;
        this.type = type;
        this.param = param;
    }

    /** 400: the request itself is wrong. */
    public static RequestRefusedException badRequest(String param, String message) {
        return new RequestRefusedException(400, "BadRequestError", message, Optional.of(param));
    }

    /** 404: there is no such model. */
    public static RequestRefusedException unknownModel(String model) {
        return new RequestRefusedException(
                404, "NotFoundError", "The model `" + model + "` does not exist.", Optional.of("model"));
    }

    /** 500: the worker failed. */
    public static RequestRefusedException internal(String message) {
        return new RequestRefusedException(500, "InternalServerError", message, Optional.empty());
    }

    /** Any status, on purpose. */
    public static RequestRefusedException of(int status, String message) {
        return new RequestRefusedException(
                status, status < 500 ? "BadRequestError" : "InternalServerError", message, Optional.empty());
    }

    public int status() {
        return status;
    }

    public String type() {
        return type;
    }

    public Optional<String> param() {
        return param;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
