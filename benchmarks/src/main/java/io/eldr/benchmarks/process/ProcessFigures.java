package io.eldr.benchmarks.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** What a process and its children use, as Linux counts it. */
public final class ProcessFigures {
    private static final double KIB_PER_MIB = 1024;

    private final ProcessHandle process;

    public ProcessFigures(ProcessHandle process) {
        this.process = process;
    }

    /** What they have computed so far, on all cores. */
    public Duration cpuTime() {
        return family().map(one -> one.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** What of them is in memory; pages they share count for each. */
    public double rssMiB() {
        return family().mapToDouble(one -> rssKib(one.pid())).sum() / KIB_PER_MIB;
    }

    private Stream<ProcessHandle> family() {
        return Stream.concat(Stream.of(process), process.descendants());
    }

    private static long rssKib(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(0);
        } catch (NoSuchFileException ended) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
