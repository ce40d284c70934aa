package io.eldr.engine;

import java.time.InstantSource;
import picocli.CommandLine;

/** The program. */
public final class Main {

    private Main() {}

    /** Exits with 0 when its supervisor is gone, 1 if it fails, 2 if it was used wrongly. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new EngineCommand(InstantSource.system(), System.in, System.out))
                .setExecutionExceptionHandler(EngineCommand::explain)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }
}
