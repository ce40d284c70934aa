package io.eldr.launcher;

import picocli.CommandLine.Command;

/** {@code ./eldr} itself does nothing; it needs a command. */
@Command(
        name = "eldr",
        description = "Expert-locality routing for Mixture-of-Experts models.",
        footer = "Results go to stdout as JSON, logs to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class EldrCommand {}
