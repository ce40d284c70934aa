package io.eldr.core.trace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds recorded traces to test on: the data folder beside the checkout, else what the repository ships. */
final class TraceData {
    private TraceData() {}

    /** The own small model's traces, which are always there. */
    static Path own(String split) {
        Path inside = Path.of("own", "small-moe-28M", split);
        return shared().map(data -> data.resolve(inside))
                .filter(Files::isDirectory)
                .orElseGet(() -> {
                    Path shipped = above("data/own")
                            .orElseThrow(() -> new IllegalStateException("neither shared/data nor data/own was found"));
                    System.out.println("No shared/data beside the checkout: reading the repository's " + shipped);
                    return shipped.resolveSibling("own")
                            .resolve("small-moe-28M")
                            .resolve(split);
                });
    }

    /** A published trace, where the data folder is beside the checkout. */
    static Optional<Path> published(String name) {
        return shared().map(data -> data.resolve("routing").resolve(name)).filter(Files::isDirectory);
    }

    private static Optional<Path> shared() {
        return above("shared/data");
    }

    private static Optional<Path> above(String name) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path candidate = folder.resolve(name);
            if (Files.isDirectory(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
