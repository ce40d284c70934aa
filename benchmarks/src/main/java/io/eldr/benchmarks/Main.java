package io.eldr.benchmarks;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program that {@code ./eldr bench} runs. */
public final class Main {
    private static final String USAGE = """
            Usage: ./eldr bench calibrate [--quick]
                   ./eldr bench decision
                   ./eldr bench kernels
                   ./eldr bench route
                   ./eldr bench simulation FILE
                   ./eldr bench union
                   ./eldr bench gateway

            Measures on made-up requests and prints JSON.

            calibrate  how long a fit of 1,000 requests takes in 1 GiB of heap and one of 100,000 requests in 4 GiB (there
                       all layers are given, and maskSeconds is rho of three representations on 5,000 of the requests),
                       and the exact assignment against OR-Tools and the Hungarian method
              --quick  leaves the large fit out; takes 20,000 instead of 100,000 rows for the assignment
            decision   how long a decision takes, from raw counts to a reserved decoder, at 16, 64 and 256 decoders
            route      what a decision costs over HTTP on loopback, beside an endpoint of the same router that only reads the
                       same body: a router in its own JVM without Postgres, 16 decoders, raw and JSON bodies; p50ms, p99ms
                       one request at a time, rps and cpuMsPerRequest 16 at a time. What was reserved is closed between
                       the timed parts
            union      what a decision of policy union costs beside one of policy eldr, opening and closing included
            kernels    how fast the dot products of a fit are on one core
            simulation how long a million requests of an arrival trace take on a simulated 8P16D of 48 x 128 experts, on
                       one core
            gateway    what the gateway costs: completions of 2 KiB of prompt and 16 tokens through prefill and decode, on
                       engines that take no time, against a client that calls the same engines itself; HAProxy and nginx
                       before one engine, where they are installed; 2,000 answers at a time
            """;

    private Main() {}

    /** Exits with 0 if all was measured, 1 if a part failed, 2 if it was used wrongly. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> arguments) {
        // What a part's own JVM is started with.
        if (arguments.size() == 3 && arguments.getFirst().equals("part")) {
            Object figures = Part.valueOf(arguments.get(1)).measure(arguments.get(2));
            System.out.println(JsonMapper.shared().writeValueAsString(figures));
            return 0;
        }
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.print(USAGE);
            return 0;
        }
        try {
            if (arguments.size() == 2 && arguments.getFirst().equals("simulation")) {
                print(PartRunner.ofThisProcess().run(Part.SIMULATION, arguments.get(1)));
                return 0;
            }
            switch (String.join(" ", arguments)) {
                case "calibrate" -> print(PartRunner.ofThisProcess().run(Part.CALIBRATE));
                case "calibrate --quick" -> print(PartRunner.ofThisProcess().run(Part.CALIBRATE_QUICKLY));
                case "decision" -> print(PartRunner.ofThisProcess().run(Part.DECISION));
                case "route" -> print(PartRunner.ofThisProcess().run(Part.ROUTE));
                case "union" -> print(PartRunner.ofThisProcess().run(Part.UNION));
                case "kernels" -> print(PartRunner.ofThisProcess().run(Part.KERNELS));
                case "gateway" -> print(PartRunner.ofThisProcess().run(Part.GATEWAY));
                default -> {
                    System.err.print(USAGE);
                    return 2;
                }
            }
            return 0;
        } catch (PartFailedException e) {
            System.err.println("eldr: " + e.getMessage());
            return 1;
        }
    }

    private static void print(JsonNode figures) {
        System.out.println(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(figures));
    }
}
