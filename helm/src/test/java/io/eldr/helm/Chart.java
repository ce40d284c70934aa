package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;

/** The chart, rendered by Helm itself. What one set of values gives is rendered once for all tests of the JVM. */
final class Chart {
    static final Path FOLDER = Path.of("eldr");
    static final String RELEASE = "eldr";
    static final String NAMESPACE = "serving";

    private static final String KUBERNETES = "1.33.0";
    private static final Map<String, Rendered> KNOWN = new ConcurrentHashMap<>();

    private Chart() {}

    /** The cluster that templates look secrets up in. */
    private static final class Cluster {
        static final FakeCluster STARTED = FakeCluster.start(kubeconfig().orElseThrow());
    }

    private static Optional<Path> kubeconfig() {
        return Optional.ofNullable(System.getenv("KUBECONFIG")).map(Path::of);
    }

    /** Skips the test where there is no Helm for the platform. */
    static void requireHelm() {
        String platform = System.getProperty("os.name").toLowerCase(Locale.ROOT) + "-" + System.getProperty("os.arch");
        assumeTrue(
                platform.equals("linux-amd64"), () -> "the build brings Helm for linux-amd64 and not for " + platform);
        assumeTrue(
                kubeconfig().filter(file -> file.endsWith("target/kubeconfig")).isPresent(),
                "KUBECONFIG must name target/kubeconfig, as Maven sets it: templates look secrets up");
    }

    static FakeCluster cluster() {
        requireHelm();
        return Cluster.STARTED;
    }

    /** The chart with its own values. */
    static Rendered byDefault() {
        return with("");
    }

    /** The chart with the values of a file of src/test/resources/values. */
    static Rendered withFile(String name) {
        return with(values(name));
    }

    static String values(String name) {
        try {
            return Files.readString(Path.of("src/test/resources/values", name + ".yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The chart with values as YAML. */
    static Rendered with(String values) {
        return with(RELEASE, NAMESPACE, values);
    }

    static Rendered with(String release, String namespace, String values) {
        return KNOWN.computeIfAbsent(
                release + "\n" + namespace + "\n" + values, key -> render(release, namespace, values));
    }

    /** As {@link #with} but anew. */
    static Rendered render(String release, String namespace, String values) {
        return render(Copy.FOLDER, release, namespace, values);
    }

    /** Helm renders hooks apart, where no test gets at them; in this copy they are objects like all others. */
    private static final class Copy {
        static final Path FOLDER = make();

        private static Path make() {
            try {
                return copy(Files.createTempDirectory("chart").resolve("eldr"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Copies the chart to a folder that is not there yet. */
    static Path copy(Path target) throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : files.toList()) {
                Path to = target.resolve(FOLDER.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectory(to);
                } else {
                    Files.writeString(to, Files.readString(file).replace("helm.sh/hook", "hook"));
                }
            }
        }
        return target;
    }

    static Rendered render(Path chart, String release, String namespace, String values) {
        return Rendered.parse(template(chart, release, namespace, values));
    }

    /** The objects as Helm writes them. */
    static String template(Path chart, String release, String namespace, String values) {
        cluster();
        try {
            Path file = Files.createTempFile("values", ".yaml");
            try {
                Files.writeString(file, values);
                TemplateCommand template = new Helm(chart)
                        .template()
                        .withName(release)
                        .withNamespace(namespace)
                        .withKubeVersion(KUBERNETES);
                return template.withValuesFile(file).call();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What Helm says of values that it refuses. */
    static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(String values) {
        return assertThatThrownBy(() -> render(RELEASE, NAMESPACE, values)).as(values);
    }
}
