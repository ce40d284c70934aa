package io.eldr.admin.users;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** {@code hash-password NAME ROLE}: reads a password from standard input and prints the user's line for the file. */
public final class PasswordCommand {
    /** The command's name. */
    public static final String NAME = "hash-password";

    /** bcrypt takes no more. */
    static final int MAX_BYTES = 72;

    private static final int MIN_LENGTH = 12;
    private static final int USAGE = 2;

    private PasswordCommand() {}

    /** @return the exit code */
    public static int run(String[] args, InputStream in, PrintStream out, PrintStream err) {
        if (args.length != 3) {
            err.println("usage: java -jar eldr-admin-ui.jar " + NAME + " NAME viewer|operator|admin < password");
            return USAGE;
        }
        try {
            String password = readLine(in);
            if (password.length() < MIN_LENGTH || password.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
                err.println(
                        "a password has at least " + MIN_LENGTH + " characters and at most " + MAX_BYTES + " bytes");
                return USAGE;
            }
            out.println(new User(args[1], User.role(args[2]), hash(new BCryptPasswordEncoder(), password)).line());
            return 0;
        } catch (IOException | IllegalArgumentException e) {
            err.println(e.getMessage());
            return USAGE;
        }
    }

    private static String readLine(InputStream in) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        @Nullable String line = reader.readLine();
        return line == null ? "" : line;
    }

    static String hash(PasswordEncoder encoder, String password) {
        @Nullable String hash = encoder.encode(password);
        if (hash == null) {
            throw new IllegalStateException("a password was not hashed");
        }
        return hash;
    }
}
