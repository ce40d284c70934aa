package io.eldr.admin.upstream;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Makes the addresses of calls. */
public final class Addresses {
    private Addresses() {}

    /** @param pathAndQuery as it goes over the wire, beginning with a slash */
    public static URI at(URI base, String pathAndQuery) {
        String root = base.toString();
        return URI.create((root.endsWith("/") ? root.substring(0, root.length() - 1) : root) + pathAndQuery);
    }

    /** A text as one segment of a path or one value of a query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
