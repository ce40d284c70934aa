package io.eldr.admin.upstream;

import io.eldr.admin.AdminProperties;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The routers that are known: those that the calibration service named last, and those that configuration names. */
@Component
public class RouterDirectory {
    private final List<RouterAddress> configured;
    private volatile List<RouterAddress> known;

    RouterDirectory(AdminProperties properties) {
        this.configured = properties.routers().stream()
                .map(router -> new RouterAddress(router.name(), router.url()))
                .toList();
        this.known = configured;
    }

    /** Takes what the calibration service says; of two routers at one address the last of its own counts. */
    public void discovered(List<RouterAddress> routers) {
        Map<URI, RouterAddress> byUrl = new LinkedHashMap<>();
        routers.forEach(router -> byUrl.put(router.url(), router));
        configured.forEach(router -> byUrl.putIfAbsent(router.url(), router));
        known = List.copyOf(byUrl.values());
    }

    public List<RouterAddress> all() {
        return known;
    }

    public Optional<RouterAddress> find(String instance) {
        return known.stream()
                .filter(router -> router.instance().equals(instance))
                .findFirst();
    }
}
