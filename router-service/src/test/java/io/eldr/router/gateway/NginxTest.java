package io.eldr.router.gateway;

import static io.eldr.router.testing.GatewayClient.COMPLETIONS;
import static io.eldr.router.testing.GatewayClient.completion;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eldr.engine.cluster.SimulatedWorker;
import io.eldr.router.testing.SimulatedPool;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** An nginx in front that only knows {@code proxy_pass} does not hold tokens back. */
class NginxTest {
    private static final String CONFIGURATION = """
            daemon off;
            pid FOLDER/nginx.pid;
            error_log FOLDER/error.log;
            events {}
            http {
                access_log off;
                client_body_temp_path FOLDER/bodies;
                proxy_temp_path FOLDER/answers;
                fastcgi_temp_path FOLDER/f;
                uwsgi_temp_path FOLDER/u;
                scgi_temp_path FOLDER/s;
                server {
                    listen unix:FOLDER/front;
                    location / {
                        proxy_pass http://127.0.0.1:PORT;
                    }
                }
            }
            """;

    @TempDir
    Path folder;

    @Test
    void theFirstTokenComesAtOnceBehindADefaultNginx() throws Exception {
        Optional<Path> nginx = Stream.of(
                        "/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(nginx.isPresent(), "nginx is not installed here: streaming through it was not tried");
        Path configuration = folder.resolve("nginx.conf");
        Files.writeString(
                configuration,
                CONFIGURATION.replace("FOLDER", folder.toString()).replace("PORT", Integer.toString(ROUTER.port())));
        Process process = new ProcessBuilder(
                        nginx.get().toString(),
                        "-c",
                        configuration.toString(),
                        "-e",
                        folder.resolve("error.log").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile())
                .start();
        try (SimulatedPool pool = SimulatedPool.engines(1, 1).serve()) {
            await().until(() -> Files.exists(folder.resolve("front")) || failed(process));
            Assertions.assertTimeoutPreemptively(Duration.ofMinutes(3), () -> streamThrough(pool));
        } finally {
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void streamThrough(SimulatedPool pool) throws IOException {
        // A token in each second: nginx would fill its buffer of 4 KiB with about 25 of them.
        ObjectNode body = completion(pool.name(), "x", 100).put("stream", true);
        body.putObject("sim").put("duration_ms", 100_000);
        try (SocketChannel front = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("front")))) {
            String json = body.toString();
            front.write(StandardCharsets.US_ASCII.encode("POST " + COMPLETIONS
                    + " HTTP/1.1\r\nHost: front\r\nContent-Type: application/json\r\nContent-Length: " + json.length()
                    + "\r\nConnection: close\r\n\r\n" + json));
            long start = System.nanoTime();
            String begun = read(front, "data: ");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            assertThat(begun).startsWith("HTTP/1.1 200").contains("Server: nginx");
            assertThat(SimulatedPool.busy(pool.decoders())).isOne();

            pool.decoders().forEach(SimulatedWorker::finishHeld);
            assertThat(read(front, "[DONE]")).endsWith("[DONE]");
        }
        await().until(() -> pool.ends().getOrDefault("completed", 0) == 1);
    }

    private boolean failed(Process process) {
        return process.isAlive() ? false : fail("nginx ended: " + text("output.log") + text("error.log"));
    }

    private String text(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            return "";
        }
    }

    private static String read(SocketChannel from, String until) throws IOException {
        StringBuilder seen = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (seen.indexOf(until) < 0 && from.read(one.clear()) > 0) {
            seen.append((char) one.get(0));
        }
        return seen.toString();
    }
}
