package io.eldr.launcher;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./eldr} without a command: wrong usage. */
@Command(
        name = "eldr",
        description = "Expert-locality routing for Mixture-of-Experts models.",
        footer = "Results go to stdout as JSON, logs to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class EldrCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing");
    }
}
