package io.eldr.launcher.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.core.trace.TraceSamples;
import io.eldr.launcher.CommandLineRun;
import io.eldr.launcher.CutTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CalibrateAndDecideTest {
    private static final Path TRACES = CommandLineRun.checkout().resolve("data/own/small-moe-28M/calibration");
    private static final JsonMapper MAPPER = JsonMapper.shared();

    @TempDir
    private static Path folder = Path.of("");

    private static CommandLineRun calibrated = new CommandLineRun(-1, "", "");

    @BeforeAll
    static void calibrate() {
        calibrated = CommandLineRun.of(
                "calibrate",
                "--traces",
                TRACES.toString(),
                "--clusters",
                "8",
                "--pairs",
                "5000",
                "--out",
                file("a.eldr"),
                "--export-json",
                file("a.json"));
    }

    @Test
    void theReportHasEveryFieldThatScriptsRelyOn() {
        assertThat(calibrated.exitCode()).as(calibrated.err()).isZero();
        JsonNode report = MAPPER.readTree(calibrated.out());
        assertThat(report.propertyNames())
                .contains(
                        "model",
                        "requests",
                        "layers",
                        "experts",
                        "topK",
                        "representation",
                        "rho",
                        "prefillDecodeCorrelation",
                        "mask",
                        "maskOrder",
                        "maskCurve",
                        "clusterSizes",
                        "objective",
                        "recommendedTau",
                        "heldOut",
                        "unionReduction",
                        "verdict",
                        "seconds",
                        "skipped");
        assertThat(report.get("rho").propertyNames()).containsExactly("count", "count_idf", "binary");
        assertThat(report.get("requests").asInt()).isEqualTo(1_000);
        assertThat(report.get("clusterSizes")).hasSize(8);
        assertThat(report.get("prefillDecodeCorrelation").asDouble()).isCloseTo(0.937, within(0.001));
        assertThat(report.get("heldOut").get("shares")).hasSize(8);
        assertThat(report.get("unionReduction").get("token").asString()).isEqualTo("recorded");
        JsonNode batch = report.get("unionReduction").get("batches").get(0);
        assertThat(batch.propertyNames())
                .containsExactly("batch", "groups", "grouped", "random", "reductionPct", "low", "high");
        assertThat(batch.get("low").asDouble())
                .isLessThan(batch.get("reductionPct").asDouble());
        assertThat(report.get("verdict").get("worthEnabling").asBoolean()).isTrue();
        assertThat(report.get("seconds").propertyNames()).containsExactlyInAnyOrder("read", "mask", "cluster", "total");
    }

    @Test
    void gatingValuesAreComparedWhereATraceHasThem() throws IOException {
        Path traces = folder.resolve("gated");
        CutTrace.write(120, traces);
        CutTrace.writeGating(traces);
        List<String> arguments = List.of(
                "calibrate",
                "--traces",
                traces.toString(),
                "--clusters",
                "2",
                "--pairs",
                "1000",
                "--out",
                file("g.eldr"));
        JsonNode rho = MAPPER.readTree(
                        CommandLineRun.of(arguments.toArray(String[]::new)).out())
                .get("rho");
        assertThat(rho.propertyNames()).containsExactly("count", "count_idf", "binary", "gate_prob", "gate_logit");
        assertThat(rho.get("gate_prob")).isEqualTo(rho.get("count"));

        List<String> fromDecoding = new ArrayList<>(arguments);
        fromDecoding.addAll(List.of("--signature-from", "decode:40"));
        assertThat(MAPPER.readTree(CommandLineRun.of(fromDecoding.toArray(String[]::new))
                                .out())
                        .get("rho")
                        .propertyNames())
                .as("sums of prompts say nothing about signatures of decoded tokens")
                .containsExactly("count", "count_idf", "binary");

        Files.write(traces.resolve("gate_prob_sums.f16le.gz"), new byte[] {1, 2, 3});
        assertThat(CommandLineRun.of(arguments.toArray(String[]::new)).err()).contains("gate_prob_sums.f16le.gz");
    }

    @Test
    void bothFormsOfAnArtifactDecideAlikeAndAsThePlainFormulaSays() throws IOException {
        RoutingArtifact artifact = ArtifactCodec.decode(Files.readAllBytes(folder.resolve("a.eldr")));
        String tau = Double.toString(artifact.recommendedTau());
        CommandLineRun binary = decide("--artifact", file("a.eldr"), "--tau", tau);
        CommandLineRun json = decide("--artifact", file("a.json"), "--tau", tau);
        assertThat(binary.exitCode()).as(binary.err()).isZero();
        assertThat(json.lines()).hasSize(1_000);
        assertThat(idsAndDecoders(json)).isEqualTo(idsAndDecoders(binary));

        List<RequestSample> requests = TraceSamples.of(RoutingTrace.read(TRACES), new SignatureSource.Prefill())
                .samples();
        for (int i = 0; i < requests.size(); i++) {
            JsonNode decision = MAPPER.readTree(json.lines().get(i));
            double[] expected = plainSimilarities(artifact, requests.get(i));
            double best = 0;
            for (int k = 0; k < expected.length; k++) {
                assertThat(decision.get("similarities").get(k).asDouble()).isCloseTo(expected[k], within(1e-5));
                best = Math.max(best, expected[k]);
            }
            int decoder = decision.get("decoder").asInt();
            assertThat(expected[decoder]).isCloseTo(best, within(1e-5));
            assertThat(band(decision)).isSorted();
        }
    }

    @Test
    void loadsMoveRequestsWithinTheBandOnly() {
        CommandLineRun run = decide("--artifact", file("a.eldr"), "--tau", "0.2", "--loads", "9,0,9,9,9,9,9,9");
        for (String line : run.lines()) {
            JsonNode decision = MAPPER.readTree(line);
            List<Integer> band = band(decision);
            assertThat(band).contains(decision.get("decoder").asInt());
            if (band.contains(1)) {
                assertThat(decision.get("decoder").asInt()).isEqualTo(1);
            }
        }
    }

    @Test
    void theFirstDecodeTokensCanStandInForThePrompt() {
        CommandLineRun run = CommandLineRun.of(
                "calibrate",
                "--traces",
                TRACES.toString(),
                "--clusters",
                "4",
                "--pairs",
                "2000",
                "--mask",
                "all",
                "--signature-from",
                "decode:48",
                "--out",
                file("d.eldr"));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(MAPPER.readTree(run.out()).get("skipped").asInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--clusters 0 | 2 | --clusters must be between",
                "--clusters x | 2 | --clusters",
                "--clusters 8 --mask 0,99 | 2 | --mask layer 99",
                "--clusters 8 --mask x | 2 | --mask must be auto, all or layers",
                "--clusters 8 --hold-out 0.9 | 2 | --hold-out must be between",
                "--clusters 8 --pairs none | 2 | --pairs must be",
                "--clusters 8 --representation best | 2 | --representation must be one of",
                "--clusters 8 --signature-from decode:0 | 2 | --signature-from",
                "--clusters 8 --signature-from decode:49 | 1 | no request of this trace has the 98 decode tokens",
                "--clusters 900 | 1 | holdOut: of 0.2 keeps all but 600 of 1000 samples",
                "--clusters 8 --frobnicate | 2 | frobnicate"
            })
    void wrongUseAndImpossibleFitsAreToldApartAndNamed(String options, int exitCode, String message) {
        List<String> arguments =
                new ArrayList<>(List.of("calibrate", "--traces", TRACES.toString(), "--out", file("never.eldr")));
        arguments.addAll(List.of(options.split(" ")));
        CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.err()).contains(message);
        assertThat(run.out()).isEmpty();
        assertThat(folder.resolve("never.eldr")).doesNotExist();
    }

    @Test
    void aFolderThatIsNotThereIsNoticedBeforeTheFit() {
        CommandLineRun run = CommandLineRun.of(
                "calibrate", "--traces", TRACES.toString(), "--clusters", "8", "--out", file("nowhere/a.eldr"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("there is no folder").doesNotContain("calibrate: cluster");
    }

    @Test
    void aDamagedArtifactIsRefusedWithTheReason() throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve("a.eldr"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(folder.resolve("damaged.eldr"), bytes);
        CommandLineRun run = decide("--artifact", file("damaged.eldr"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("SHA-256 does not match");
    }

    private static CommandLineRun decide(String... arguments) {
        List<String> all = new ArrayList<>(List.of("decide", "--traces", TRACES.toString()));
        all.addAll(List.of(arguments));
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    private static List<Integer> band(JsonNode decision) {
        List<Integer> band = new ArrayList<>();
        decision.get("band").forEach(member -> band.add(member.asInt()));
        return band;
    }

    private static List<String> idsAndDecoders(CommandLineRun run) {
        return run.lines().stream()
                .map(MAPPER::readTree)
                .map(decision -> decision.get("id").asString() + " " + decision.get("decoder"))
                .toList();
    }

    /** s_k in float64, straight from the definition. */
    private static double[] plainSimilarities(RoutingArtifact artifact, RequestSample request) {
        var spec = artifact.spec();
        double[] similarities = new double[artifact.clusters()];
        double square = 0;
        for (int d = 0; d < spec.dimensions(); d++) {
            int cell = spec.cellOf(d);
            double x = spec.value(cell, request.prefill().cell(cell));
            square += x * x;
            for (int k = 0; k < similarities.length; k++) {
                similarities[k] += x * artifact.centroids().value(k, d);
            }
        }
        for (int k = 0; k < similarities.length; k++) {
            similarities[k] /= Math.sqrt(square);
        }
        return similarities;
    }

    private static String file(String name) {
        try {
            return folder.toRealPath().resolve(name).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
