package io.eldr.launcher.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import io.eldr.core.signature.Geometry;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.UsageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Engines that run already, as {@code up} is told of them and as they tell of themselves. */
class EngineOptionsTest {
    private static final String KNOWN = """
            {"object":"list","data":[
              {"id":"chat","root":"Qwen/Qwen3-30B-A3B-Instruct-2507","max_model_len":40960},
              {"id":"sql-adapter","root":"/adapters/sql","parent":"chat"}]}""";

    private HttpServer engine;
    private String models = KNOWN;
    private int status = 200;

    @Command
    static final class Line {
        @Mixin
        private EngineOptions engines = new EngineOptions();
    }

    @BeforeEach
    void start() throws IOException {
        engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        engine.createContext("/v1/models", exchange -> {
            try (exchange) {
                byte[] body = models.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        engine.start();
    }

    @AfterEach
    void stop() {
        engine.stop(0);
    }

    @Test
    void theFirstDecoderSaysWhatTheModelIsAndATableWhatItIsLike() {
        PoolDeclaration pool = pool("--prefill=http://10.0.0.1:8000", "--decode=" + url() + ",http://10.0.0.3:8000");

        assertThat(pool.name()).isEqualTo("main");
        assertThat(pool.model()).isEqualTo("chat");
        assertThat(pool.aliases()).containsExactly("sql-adapter");
        assertThat(pool.geometry()).isEqualTo(new Geometry(48, 128, 8));
        assertThat(pool.workers())
                .extracting(worker -> worker.slot() + " " + worker.role() + " " + worker.url())
                .containsExactly(
                        "decoder-0 decode " + url(),
                        "decoder-1 decode http://10.0.0.3:8000",
                        "prefiller-0 prefill http://10.0.0.1:8000");
    }

    @Test
    void aModelThatIsNotKnownNeedsItsGeometry() {
        models = "{\"data\":[{\"id\":\"in-house\"}]}";
        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(this::plain)
                .withMessageContaining("'in-house'")
                .withMessageContaining("--geometry LxExK");

        PoolDeclaration pool = pool("--prefill=http://p", "--decode=" + url(), "--geometry=4x16x2", "--pool=in-house");
        assertThat(pool.geometry()).isEqualTo(new Geometry(4, 16, 2));
        assertThat(pool.name()).isEqualTo("in-house");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | {\"data\":[]}  | names no model",
                "200 | <html>         | not JSON",
                "503 | {}             | answers 503"
            })
    void whatIsNoEngineIsNamed(int answered, String body, String message) {
        status = answered;
        models = body;
        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(this::plain)
                .withMessageContaining(url() + "/v1/models")
                .withMessageContaining(message);
    }

    @Test
    void whereNothingAnswersTheAddressIsNamed() {
        String url = url();
        engine.stop(0);
        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(() -> pool("--prefill=http://p", "--decode=" + url))
                .withMessageContaining("Nothing answers at " + url + "/v1/models");
    }

    @Test
    void oneRoleAloneServesNothing() {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> pool("--decode=" + url()))
                .withMessageContaining("--prefill and --decode go together");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "48x128| --geometry must be like 48x128x8 but is '48x128'",
                "axbxc | --geometry must be like 48x128x8 but is 'axbxc'",
                "0x1x1 | --geometry is '0x1x1': layers must be",
                "1x4x8 | --geometry is '1x4x8': topK must be between 1 and 4"
            })
    void aGeometryThatIsNoneIsRefused(String geometry, String message) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> KnownModels.parse("--geometry", geometry))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "openai/gpt-oss-120b,36,128,4",
        "/models/DeepSeek-V3-0324,58,256,8",
        "deepseek-ai/DeepSeek-V2-Lite-Chat,26,64,6",
        "mistralai/Mixtral-8x7B-Instruct-v0.1,32,8,2"
    })
    void modelsAreKnownByAPartOfTheirName(String name, int layers, int experts, int topK) {
        assertThat(KnownModels.of(List.of("alias", name))).contains(new Geometry(layers, experts, topK));
    }

    private PoolDeclaration plain() {
        return pool("--prefill=http://10.0.0.1:8000", "--decode=" + url());
    }

    private static PoolDeclaration pool(String... arguments) {
        Line line = new Line();
        new CommandLine(line).parseArgs(arguments);
        try (HttpClient http = HttpClient.newHttpClient()) {
            return line.engines.pool(http);
        }
    }

    private String url() {
        return "http://127.0.0.1:" + engine.getAddress().getPort();
    }
}
