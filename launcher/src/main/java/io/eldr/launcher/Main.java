package io.eldr.launcher;

import io.eldr.launcher.console.Console;
import java.nio.file.Path;

/** The program that {@code ./eldr} runs. */
public final class Main {

    private Main() {}

    /** Exits with 0 if the command is done, 1 if it failed, 2 if it was used wrongly. */
    public static void main(String[] arguments) {
        Path home =
                Path.of(System.getProperty("eldr.home", "")).toAbsolutePath().normalize();
        System.exit(CommandLines.eldr(Console.ofProcess(), home).execute(arguments));
    }
}
