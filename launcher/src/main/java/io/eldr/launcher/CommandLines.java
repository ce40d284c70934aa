package io.eldr.launcher;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.launcher.bench.BenchCommand;
import io.eldr.launcher.bench.SampleBenchCommand;
import io.eldr.launcher.calibrate.CalibrateCommand;
import io.eldr.launcher.calibrate.DecideCommand;
import io.eldr.launcher.client.ApiException;
import io.eldr.launcher.compare.CompareCommand;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import io.eldr.launcher.console.UsageException;
import io.eldr.launcher.report.ReportCommand;
import io.eldr.launcher.simulate.SimulateCommand;
import io.eldr.launcher.traffic.ImportCommand;
import io.eldr.launcher.traffic.RouteCommand;
import io.eldr.launcher.up.UpCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;

/** Puts the command line together. */
final class CommandLines {

    private CommandLines() {}

    /**
     * Every command of {@code ./eldr} except {@code test}, which is the script's own.
     *
     * @param home the root of the checkout
     */
    static CommandLine eldr(Console console, Path home) {
        CommandLine line = new CommandLine(new EldrCommand());
        for (Object command : commands(console, home)) {
            line.addSubcommand(command);
        }
        line.addSubcommand(new CommandLine(new BenchCommand()).addSubcommand(new SampleBenchCommand(console, home)));
        return line.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setExecutionExceptionHandler(explainTo(console));
    }

    /** A new command is registered here, and named in the script {@code eldr}. */
    private static List<Object> commands(Console console, Path home) {
        return List.of(
                new UpCommand(console, home),
                new CalibrateCommand(console),
                new DecideCommand(console),
                new SimulateCommand(console),
                new ReportCommand(console, home),
                new ImportCommand(console, home),
                new RouteCommand(console, home),
                new CompareCommand(console, home));
    }

    private static IExecutionExceptionHandler explainTo(Console console) {
        return (exception, line, parsed) -> {
            switch (exception) {
                case CommandFailedException failure -> {
                    failure.logFile().ifPresent(console::logEndOf);
                    console.log(String.valueOf(failure.getMessage()));
                }
                case UsageException wrong -> {
                    console.log(wrong.getMessage() + " (see ./eldr " + line.getCommandName() + " --help)");
                    return CommandLine.ExitCode.USAGE;
                }
                case InvalidInputException refusal -> console.log(String.valueOf(refusal.getMessage()));
                case ApiException refusal -> console.log(String.valueOf(refusal.getMessage()));
                case IOException io -> console.log(io.toString());
                default -> exception.printStackTrace(console.err());
            }
            return CommandLine.ExitCode.SOFTWARE;
        };
    }
}
