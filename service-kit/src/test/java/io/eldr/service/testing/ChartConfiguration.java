package io.eldr.service.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

/** What the chart renders for a service with everything on, as the tests of the chart keep it, bound as the service binds it. */
public final class ChartConfiguration {
    private static final Path RENDERED = Path.of("..", "helm", "src", "test", "resources", "rendered");
    private static final String DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a0";

    private final Binder binder;
    private final String source;

    private ChartConfiguration(Binder binder, String source) {
        this.binder = binder;
        this.source = source;
    }

    /** @param component such as {@code router} */
    public static ChartConfiguration of(String component) {
        StandardEnvironment environment = new StandardEnvironment();
        String name = "eldr-" + component + ".yaml";
        try {
            List<PropertySource<?>> documents =
                    new YamlPropertySourceLoader().load(name, new FileSystemResource(RENDERED.resolve(name)));
            documents.forEach(document -> environment.getPropertySources().addFirst(document));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        environment.getPropertySources().addLast(new MapPropertySource("secrets", secrets()));
        return new ChartConfiguration(Binder.get(environment), name);
    }

    /** What would stand in the files of the pod. */
    private static Map<String, Object> secrets() {
        Map<String, Object> secrets = new HashMap<>();
        List<String> names = List.of("tokens.admin", "tokens.router", "tokens.ui", "tokens.extra-0");
        for (int i = 0; i < names.size(); i++) {
            secrets.put(names.get(i), DIGEST + i);
        }
        secrets.put("eldr.router.calibration.token", "secret");
        secrets.put("eldr.admin.token", "secret");
        return secrets;
    }

    /** Binds a section; fails by name for a property that the type does not know or a value that it refuses. */
    public <T> T bind(String section, Class<T> type) {
        BindHandler strict = new NoUnboundElementsBindHandler(
                BindHandler.DEFAULT, (ConfigurationPropertySource from) -> isTheChartsOwn(from));
        return binder.bind(section, Bindable.of(type), strict).get();
    }

    /** Like {@link #bind(String, Class)} for a type that only its package sees. */
    public Object bind(String section, String type) {
        try {
            return bind(section, Class.forName(type));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private boolean isTheChartsOwn(ConfigurationPropertySource from) {
        return from.getUnderlyingSource() instanceof PropertySource<?> named
                && named.getName().startsWith(source);
    }
}
