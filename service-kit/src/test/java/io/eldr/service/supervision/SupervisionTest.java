package io.eldr.service.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class SupervisionTest {

    @Test
    void aSupervisedServiceStopsInOrderWhenItsInputEnds() throws Exception {
        Process service = start("--eldr.supervised=true");
        try (BufferedReader output = service.inputReader(StandardCharsets.UTF_8)) {
            awaitReady(output);

            service.outputWriter().close();

            assertThat(output.readAllAsString())
                    .contains("The supervisor is gone or closed our input: stopping", "closed in order");
            assertThat(service.waitFor()).isZero();
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void aServiceWithoutASupervisorDoesNotReadItsInput() throws Exception {
        Process service = start();
        try (BufferedReader output = service.inputReader(StandardCharsets.UTF_8)) {
            awaitReady(output);

            service.outputWriter().close();

            assertThat(service.waitFor(500, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void whatTheSupervisorWritesMeansNothing() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);

        new SupervisorWatch(new ByteArrayInputStream(new byte[1000]), ended::countDown).start();

        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aBrokenPipeCountsAsTheEnd() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("broken pipe");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return read();
            }
        };

        new SupervisorWatch(broken, ended::countDown).start();

        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private static void awaitReady(BufferedReader output) throws IOException {
        String line = output.readLine();
        while (line != null && !line.equals("ready")) {
            line = output.readLine();
        }
        assertThat(line).isEqualTo("ready");
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SupervisedApplication.class.getName(),
                "--spring.main.banner-mode=off"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
