package io.eldr.calibration.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class CheckCommandTest {
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/late", exchange -> {
            exchange.sendResponseHeaders(asked.incrementAndGet() < 3 ? 503 : 200, -1);
            exchange.close();
        });
        server.createContext("/closed", exchange -> {
            boolean known = "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(known ? 200 : 401, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void triesUntilAllAnswer() {
        assertThat(run(Map.of(), url("/late"))).isZero();
        assertThat(asked).hasValue(3);
    }

    @Test
    void sendsTheTokenOfAFile(@TempDir Path directory) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "secret\n");
        assertThat(run(Map.of("ELDR_TOKEN_FILE", token.toString()), url("/closed")))
                .isZero();
    }

    @Test
    void saysWhatDoesNotAnswerAndEndsWithOne(CapturedOutput output) {
        assertThat(run(Map.of("ELDR_CHECK_PATIENCE", "1s"), url("/closed"), "http://127.0.0.1:1/"))
                .isEqualTo(1);
        assertThat(output).contains(url("/closed") + ": status 401", "http://127.0.0.1:1/: java.net.ConnectException");
    }

    @Test
    void refusesWrongUsage(CapturedOutput output) {
        assertThat(run(Map.of())).isEqualTo(2);
        assertThat(run(Map.of(), "no url")).isEqualTo(2);
        assertThat(run(Map.of("ELDR_CA_FILE", "/nowhere"), url("/late"))).isEqualTo(2);
        assertThat(output).contains("at least one URL", "check cannot start");
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private static int run(Map<String, String> environment, String... urls) {
        String[] arguments = new String[urls.length + 1];
        arguments[0] = CheckCommand.NAME;
        System.arraycopy(urls, 0, arguments, 1, urls.length);
        return CheckCommand.run(environment, arguments);
    }
}
