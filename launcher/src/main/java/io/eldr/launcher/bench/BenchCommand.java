package io.eldr.launcher.bench;

import picocli.CommandLine.Command;

/** {@code ./eldr bench}, as far as it measures services; what measures the method alone is a module of its own. */
@Command(name = "bench", description = "Measures running services on this machine.", mixinStandardHelpOptions = true)
public final class BenchCommand {}
