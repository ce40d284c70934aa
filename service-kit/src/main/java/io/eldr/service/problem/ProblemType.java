package io.eldr.service.problem;

import java.net.URI;
import org.springframework.http.HttpStatus;

/** The kinds of errors a caller can meet. A type's URI is part of the API: clients branch on it, so it never changes. */
public enum ProblemType {
    /** A value is malformed, missing or out of its range; the property {@code field} names it. */
    INVALID_INPUT("invalid-input", HttpStatus.BAD_REQUEST, "The request is not valid"),
    UNAUTHORIZED("unauthorized", HttpStatus.UNAUTHORIZED, "A valid token is needed"),
    FORBIDDEN("forbidden", HttpStatus.FORBIDDEN, "The token does not allow this"),
    NOT_FOUND("not-found", HttpStatus.NOT_FOUND, "There is no such thing"),
    METHOD_NOT_ALLOWED("method-not-allowed", HttpStatus.METHOD_NOT_ALLOWED, "This path does not take this method"),
    NOT_ACCEPTABLE("not-acceptable", HttpStatus.NOT_ACCEPTABLE, "The answer has no such media type"),
    /** The change does not go together with what is there. */
    CONFLICT("conflict", HttpStatus.CONFLICT, "The change conflicts with the present state"),
    /** What was named existed, and its time is over. */
    GONE("gone", HttpStatus.GONE, "It is over"),
    TOO_LARGE("too-large", HttpStatus.CONTENT_TOO_LARGE, "The body is larger than allowed"),
    UNSUPPORTED_MEDIA_TYPE(
            "unsupported-media-type", HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body's media type is not taken here"),
    /** Every eligible decoder runs as many requests as it may. */
    SATURATED("saturated", HttpStatus.TOO_MANY_REQUESTS, "Every decoder is at its limit"),
    /** No decoder may get traffic. */
    NO_DECODER("no-decoder", HttpStatus.SERVICE_UNAVAILABLE, "No decoder is eligible"),
    /** Something the service needs, such as Postgres, is away for now. */
    UNAVAILABLE("unavailable", HttpStatus.SERVICE_UNAVAILABLE, "The service cannot do this now"),
    INTERNAL("internal", HttpStatus.INTERNAL_SERVER_ERROR, "The service failed");

    private static final String BASE = "https://eldr.io/problems/";

    private final URI uri;
    private final HttpStatus status;
    private final String title;

    ProblemType(String slug, HttpStatus status, String title) {
        this.uri = URI.create(BASE + slug);
        this.status = status;
        this.title = title;
    }

    /** The value of {@code type} in the body. */
    public URI uri() {
        return uri;
    }

    public HttpStatus status() {
        return status;
    }

    /** One short sentence that is the same at every occurrence. */
    public String title() {
        return title;
    }

    /** The type that stands for a status where the framework, not ELDR, refused a request. */
    static ProblemType ofStatus(int status) {
        for (ProblemType type : values()) {
            if (type.status.value() == status) {
                return type == NO_DECODER ? UNAVAILABLE : type;
            }
        }
        return status >= 500 ? INTERNAL : INVALID_INPUT;
    }
}
