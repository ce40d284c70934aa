package io.eldr.router.gateway;

import io.netty.handler.codec.http.HttpScheme;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * Where a URL of an engine leads.
 *
 * @param host as the engine is to be addressed in {@code Host}
 */
record EngineTarget(boolean tls, String name, int port, String host, String path) {

    static EngineTarget of(String url) {
        URI uri = URI.create(url);
        boolean tls = "https".equals(uri.getScheme());
        int port = uri.getPort() >= 0 ? uri.getPort() : (tls ? HttpScheme.HTTPS : HttpScheme.HTTP).port();
        String name = uri.getHost();
        if (name == null) {
            throw new IllegalArgumentException(url + " names no host");
        }
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new EngineTarget(tls, name, port, uri.getRawAuthority(), uri.getRawPath() + query);
    }

    /** To be resolved. */
    InetSocketAddress address() {
        String bare = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
        return InetSocketAddress.createUnresolved(bare, port);
    }

    /** What connections are kept by: a worker has several paths. */
    String authority() {
        return (tls ? "https://" : "http://") + name + ":" + port;
    }
}
