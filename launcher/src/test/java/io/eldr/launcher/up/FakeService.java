package io.eldr.launcher.up;

import io.eldr.launcher.FakeEldr;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Stands in for a service's jar: listens as told, and stops when its standard input ends. */
final class FakeService {

    private FakeService() {}

    public static void main(String[] arguments) throws IOException {
        List<String> options = Arrays.asList(arguments);
        System.out.println("started with " + options);
        if (options.contains("migrate")) {
            return;
        }
        if (options.contains("compare")) {
            awaitEnd();
            return;
        }
        int port = options.contains("--supervised")
                ? lastWorker(options)
                : Integer.parseInt(value(options, "--server.port="));
        boolean router = options.stream().anyMatch(option -> option.startsWith("--eldr.router."));
        try (FakeEldr eldr = new FakeEldr(port, router ? 1 : 0)) {
            System.out.println("listening at " + eldr.address());
            awaitEnd();
        }
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // Only the end counts.
        }
    }

    /** Whoever starts simulated workers waits for the last one. */
    private static int lastWorker(List<String> options) {
        return number(options, "--port-base=") + number(options, "--decode=") + number(options, "--prefill=") - 1;
    }

    private static int number(List<String> options, String name) {
        return Integer.parseInt(value(options, name));
    }

    private static String value(List<String> options, String name) {
        return options.stream()
                .filter(option -> option.startsWith(name))
                .map(option -> option.substring(name.length()))
                .findFirst()
                .orElseThrow();
    }
}
