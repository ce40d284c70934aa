package io.eldr.router.gateway;

import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eldr.router.testing.SimulatedPool;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** OpenAI's own client, in Node, sees of the gateway what it sees of one worker that does everything by itself. */
class OpenAiClientTest {
    private static final Path SOURCES = Path.of("src/test/openai");
    private static final Path INSTALLED = Path.of("target/openai");
    private static final String LOCK = "package-lock.json";

    @Test
    void theOpenAiClientWorksAgainstTheGateway() throws Exception {
        assumeTrue(isOnPath("node") && isOnPath("npm"), "Node is not installed here: the openai client was not tried");
        install();
        try (SimulatedPool pool = SimulatedPool.engines(2, 2).serve();
                SimulatedPool slow = SimulatedPool.engines(1, 1).timeScale(2).serve()) {
            JsonNode seen = JsonMapper.shared()
                    .readTree(run(
                            INSTALLED,
                            "node",
                            "conformance.mjs",
                            "http://127.0.0.1:" + ROUTER.port(),
                            pool.name(),
                            pool.decoder(0).url().toString(),
                            SimulatedPool.SERVED,
                            slow.name(),
                            slow.decoder(0).url().toString()));

            assertThat(seen.path("gateway")).as(seen.toPrettyString()).isEqualTo(seen.path("worker"));
            assertThat(seen.at("/gateway/chatStream/chunks").asInt()).isEqualTo(1 + 11 + 1);
            assertThat(seen.at("/gateway/chatStream/usage/completion_tokens").asInt())
                    .isEqualTo(11);
            assertThat(seen.at("/gateway/completionStream/chunks").asInt()).isEqualTo(13);
            assertThat(seen.path("models").valueStream().map(JsonNode::asString))
                    .contains(pool.name(), pool.adapter(), slow.name());
            assertThat(seen.at("/errors/unknownModel").toString())
                    .isEqualTo(
                            "{\"class\":\"NotFoundError\",\"status\":404,\"code\":\"model_not_found\",\"param\":\"model\","
                                    + "\"type\":\"invalid_request_error\"}");
            assertThat(seen.at("/errors/twoAnswers").toString())
                    .isEqualTo(
                            "{\"class\":\"BadRequestError\",\"status\":400,\"code\":\"invalid_request\",\"param\":\"n\","
                                    + "\"type\":\"invalid_request_error\"}");
            assertThat(seen.at("/errors/tooLong").toString())
                    .isEqualTo("{\"class\":\"BadRequestError\",\"status\":400,\"code\":400,\"param\":\"max_tokens\","
                            + "\"type\":\"BadRequestError\"}");
            assertThat(seen.path("aborted").asBoolean()).isTrue();
            assertThat(seen.at("/abortedWhole/class").asString()).isEqualTo("APIUserAbortError");
            await().until(() -> slow.ends().getOrDefault("aborted", 0) == 2);
            await().until(() -> SimulatedPool.left(slow.cluster().workers()) == 2);
            slow.awaitIdle();
        }
    }

    /** As the lock file says, once for each version of it. */
    private static void install() throws IOException, InterruptedException {
        Files.createDirectories(INSTALLED);
        boolean there = Files.exists(INSTALLED.resolve("node_modules/openai"))
                && Files.exists(INSTALLED.resolve(LOCK))
                && Files.mismatch(SOURCES.resolve(LOCK), INSTALLED.resolve(LOCK)) < 0;
        for (String file : List.of("package.json", LOCK, "conformance.mjs")) {
            Files.copy(SOURCES.resolve(file), INSTALLED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        if (!there) {
            run(INSTALLED, "npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts");
        }
    }

    private static String run(Path folder, String... command) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("eldr-openai", ".log");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue())
                    .as(String.join(" ", command) + ": " + Files.readString(errors))
                    .isZero();
            return output;
        } finally {
            process.destroyForcibly();
            Files.delete(errors);
        }
    }

    private static boolean isOnPath(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
