package io.eldr.calibration.web;

import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.web.context.request.WebRequest;

/** Conditional reads of what never changes. */
public final class EntityTags {
    private static final String ANY = "*";

    private EntityTags() {}

    /**
     * Whether the caller's {@code If-None-Match} covers the tag. Unlike Spring's check it knows {@code *}: whoever has any
     * version has this one, since there is no other (RFC 9110, section 13.1.2).
     *
     * @param etag with its quotes
     */
    public static boolean isKnown(WebRequest request, String etag) {
        boolean any = Optional.ofNullable(request.getHeader(HttpHeaders.IF_NONE_MATCH))
                .map(String::strip)
                .filter(ANY::equals)
                .isPresent();
        return any || request.checkNotModified(etag);
    }
}
