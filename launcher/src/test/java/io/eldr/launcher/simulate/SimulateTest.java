package io.eldr.launcher.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.launcher.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateTest {
    private static final Path TRACES = CommandLineRun.checkout().resolve("data/own/small-moe-28M/calibration");

    @TempDir
    private static Path folder = Path.of("");

    private static CommandLineRun simulate(Path traces, String... more) {
        List<String> arguments = new ArrayList<>(List.of("simulate", "--traces", traces.toString()));
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void policiesAreComparedOnTheSameRequests() {
        CommandLineRun run = simulate(
                TRACES,
                "--rate",
                "40",
                "--prefill",
                "4",
                "--decode",
                "4",
                "--policies",
                "random,round-robin,jsq,p2c,domain,eldr",
                "--tau",
                "auto,0.05",
                "--seeds",
                "2",
                "--requests",
                "600",
                "--output-tokens",
                "100");

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode runs = JsonMapper.shared().readTree(run.out()).get("runs");
        assertThat(StreamSupport.stream(runs.spliterator(), false)
                        .map(node -> node.get("policy").asString()))
                .containsExactly("random", "round-robin", "jsq", "p2c", "domain", "eldr", "eldr");
        JsonNode eldr = runs.get(6);
        assertThat(eldr.propertyNames())
                .contains(
                        "policy",
                        "rate",
                        "tau",
                        "decoders",
                        "tpotMs",
                        "ttftMs",
                        "meanUnion",
                        "meanBand",
                        "spill",
                        "maxOverMeanLoad",
                        "vsRoundRobinPct",
                        "vsBestLoadBalancerPct");
        assertThat(eldr.get("tau").asDouble()).isEqualTo(0.05);
        assertThat(eldr.get("decoders").asInt()).isEqualTo(4);
        assertThat(eldr.get("tpotMs").propertyNames()).contains("p50", "p95", "p99");
        assertThat(eldr.get("vsRoundRobinPct").propertyNames()).contains("p50", "p50Low", "p50High", "p99");
        assertThat(eldr.get("vsBestLoadBalancerPct").propertyNames()).contains("p50", "p99");
        assertThat(eldr.get("meanUnion").asDouble())
                .isLessThan(runs.get(1).get("meanUnion").asDouble());
        assertThat(run.err()).contains("policy", "TPOT p50 ms", "p50 vs RR %");
    }

    @Test
    void theJsonGoesToAFileWhereOneIsNamed() throws IOException {
        Path file = folder.resolve("runs.json");
        CommandLineRun run = simulate(
                TRACES,
                "--rate",
                "20",
                "--prefill",
                "2",
                "--decode",
                "2",
                "--policies",
                "jsq",
                "--seeds",
                "1",
                "--requests",
                "100",
                "--output-tokens",
                "20",
                "--json",
                file.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(JsonMapper.shared()
                        .readTree(Files.readString(file))
                        .at("/runs/0/tpotMs/p50")
                        .asDouble())
                .isPositive();
    }

    @Test
    void constantsComeFromAFileWhereOneIsNamed() throws IOException {
        Path slow = folder.resolve("slow.json");
        Files.writeString(slow, """
                {"format":"eldr-model-constants-v1","name":"slow","layers":8,"experts":64,"expertMicros":500}""");
        String[] options = {
            "--rate",
            "1",
            "--prefill",
            "2",
            "--decode",
            "2",
            "--policies",
            "jsq",
            "--seeds",
            "1",
            "--requests",
            "40",
            "--output-tokens",
            "20"
        };
        List<String> withFile = new ArrayList<>(List.of(options));
        withFile.addAll(List.of("--constants", slow.toString()));
        JsonNode usual = JsonMapper.shared().readTree(simulate(TRACES, options).out());
        JsonNode measured = JsonMapper.shared()
                .readTree(simulate(TRACES, withFile.toArray(String[]::new)).out());

        assertThat(measured.get("model").asString()).isEqualTo("slow");
        assertThat(measured.at("/runs/0/tpotMs/p50").asDouble())
                .isGreaterThan(5 * usual.at("/runs/0/tpotMs/p50").asDouble());

        Files.writeString(slow, """
                {"format":"eldr-model-constants-v1","layers":48,"experts":128,"expertMicros":4}""");
        CommandLineRun refused = simulate(TRACES, withFile.toArray(String[]::new));
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("--constants", "the file is for 48 layers but the traces have 8");
    }

    @Test
    void aRateOverCapacityIsUnstableAndNoNumber() {
        CommandLineRun run = simulate(
                TRACES,
                "--rate",
                "2000",
                "--prefill",
                "2",
                "--decode",
                "2",
                "--policies",
                "eldr",
                "--seeds",
                "1",
                "--requests",
                "100");

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode only = JsonMapper.shared().readTree(run.out()).at("/runs/0");
        assertThat(only.at("/tpotMs/p50").isNull()).isTrue();
        assertThat(only.get("unstable").asString()).contains("over the capacity of 2 prefill workers");
        assertThat(run.err()).contains("unstable: the rate of 2000.0 requests a second");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--policies nearest --rate 10 | --policies must be one of eldr, random",
                "--policies jsq,jsq --rate 10 | --policies names one twice",
                "--policies jsq | --rate must be given for poisson arrivals",
                "--policies jsq --rate 0 | --rate must be above 0",
                "--policies jsq --rate fast | --rate must be a number",
                "--policies jsq --rate 10 --tau wide | --tau must be auto or a number",
                "--policies jsq --rate 10 --mix most | --mix must be recorded, uniform",
                "--policies jsq --rate 10 --fit-share 1 | --fit-share must lie between 0 and 1",
                "--policies jsq --rate 10 --seeds 0 | --seeds must be between 1 and 100",
                "--policies jsq --rate 10 --ranks 3 | --ranks must divide the 64 experts",
                "--policies jsq --rate 10 --at 3:fail:7 | --at names decoder 7",
                "--policies jsq --rate 10 --at soon | --at must be like 30:fail:3",
                "--policies jsq --rate 10 --drift zipf:1 | --drift must be like",
            })
    void whatCannotBeIsRefusedByName(String options, String reason) {
        List<String> arguments = new ArrayList<>(List.of("--prefill", "2", "--decode", "2"));
        arguments.addAll(List.of(options.split(" ")));
        CommandLineRun run = simulate(TRACES, arguments.toArray(String[]::new));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(reason);
    }

    @Test
    void moreDecodersThanRequestsToFitAreRefused() {
        CommandLineRun run =
                simulate(TRACES, "--rate", "10", "--prefill", "2", "--decode", "600", "--policies", "eldr");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--decode are 600, but only 500 of 1000 requests");
    }

    @Test
    void aTraceWithoutDecodingIsRefused() throws IOException {
        Path prompts = folder.resolve("prompts");
        Files.createDirectories(prompts);
        for (String name : List.of("meta.json", "experts.u8.gz")) {
            Files.copy(TRACES.resolve(name), prompts.resolve(name));
        }
        // Whatever was decoded counts as prompt.
        Files.write(
                prompts.resolve("index.jsonl"),
                Files.readAllLines(TRACES.resolve("index.jsonl")).stream()
                        .map(SimulateTest::withoutDecoding)
                        .toList());
        CommandLineRun run = simulate(prompts, "--rate", "10", "--prefill", "2", "--decode", "2", "--policies", "jsq");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("--traces none of the 500 requests")
                .contains("has decode tokens or decode counts");
    }

    private static String withoutDecoding(String line) {
        JsonNode entry = JsonMapper.shared().readTree(line);
        return "{\"id\":\"" + entry.get("id").asString() + "\",\"domain\":\""
                + entry.get("domain").asString() + "\",\"prefillTokens\":"
                + (entry.get("prefillTokens").asInt()
                        + entry.get("decodeTokens").asInt())
                + ",\"decodeTokens\":0,\"offset\":" + entry.get("offset").asLong() + "}";
    }
}
