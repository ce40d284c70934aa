package io.eldr.benchmarks;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** The program that {@code ./eldr bench} runs. */
public final class Main {
    private static final String USAGE = """
            Usage: ./eldr bench calibrate [--quick]

            Times a fit of 1,000 requests in 1 GiB of heap, one of 100,000 requests in 4 GiB, and the exact assignment
            against OR-Tools and the Hungarian method, on made-up requests. Prints JSON.

              --quick   leave the large fit out; take 20,000 instead of 100,000 rows for the assignment
            """;

    private Main() {}

    /** Exits with 0 if all was measured, 1 if a part failed, 2 if it was used wrongly. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> arguments) {
        // What a part's own JVM is started with.
        if (arguments.size() == 2 && arguments.getFirst().equals("part")) {
            Object figures = Part.valueOf(arguments.get(1)).measure();
            System.out.println(JsonMapper.shared().writeValueAsString(figures));
            return 0;
        }
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.print(USAGE);
            return 0;
        }
        boolean quick = arguments.equals(List.of("calibrate", "--quick"));
        if (!quick && !arguments.equals(List.of("calibrate"))) {
            System.err.print(USAGE);
            return 2;
        }
        try {
            System.out.println(PartRunner.ofThisProcess().run(Part.of(quick)));
            return 0;
        } catch (PartFailedException e) {
            System.err.println("eldr: " + e.getMessage());
            return 1;
        }
    }
}
