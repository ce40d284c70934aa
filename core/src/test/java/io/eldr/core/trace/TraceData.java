package io.eldr.core.trace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds recorded traces to test on: what the repository ships, and what lies in a data folder beside the checkout. */
public final class TraceData {
    private TraceData() {}

    /** A split of the own small model's trace, which is always there. */
    public static Path own(String split) {
        return above("data/own")
                .orElseThrow(() -> new IllegalStateException("the test does not run inside a checkout"))
                .resolve("small-moe-28M")
                .resolve(split);
    }

    /** A published trace, where the data folder is beside the checkout. */
    public static Optional<Path> published(String name) {
        return above("shared/data")
                .map(data -> data.resolve("routing").resolve(name))
                .filter(Files::isDirectory);
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
