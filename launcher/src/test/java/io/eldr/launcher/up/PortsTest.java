package io.eldr.launcher.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {

    @Test
    void countsFromOneNumber() {
        Ports ports = new Ports(8080);

        assertThat(ports.router()).isEqualTo(8080);
        assertThat(ports.calibration()).isEqualTo(8081);
        assertThat(ports.dashboard()).isEqualTo(8082);
        assertThat(ports.routerManagement()).isEqualTo(9080);
        assertThat(ports.calibrationManagement()).isEqualTo(9081);
        assertThat(ports.dashboardManagement()).isEqualTo(9082);
        assertThat(ports.worker(DemoCluster.decoderPlace(1, 7))).isEqualTo(8195);
        assertThat(ports.worker(DemoCluster.prefillerPlace(1, 1))).isEqualTo(8199);
        assertThat(new Addresses(ports).worker(0)).hasToString("http://127.0.0.1:8180");
        assertThat(DemoCluster.nameOf(DemoCluster.prefillerPlace(1, 0))).isEqualTo("prefiller-0 of pool demo-jsq");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Ports.MAX_BASE + 1})
    void refusesANumberThatLeavesNoRoom(int base) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Ports(base)).withMessageContaining("" + base);
    }

    @Test
    void namesThePortThatIsTakenAndTheOptionThatHelps() throws IOException {
        try (ServerSocket taken = calibrationSocket()) {
            Ports ports = new Ports(taken.getLocalPort() - 1);

            assertThatExceptionOfType(CommandFailedException.class)
                    .isThrownBy(() -> ports.requireFree(DemoCluster.WORKERS, Duration.ZERO))
                    .withMessageContaining("Port " + taken.getLocalPort() + " (calibration-service) is taken")
                    .withMessageContaining("--port-base");
        }
    }

    @Test
    void seesAProgramThatListensOnEveryAddress() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            Ports ports = new Ports(Math.min(taken.getLocalPort(), Ports.MAX_BASE));

            assertThatExceptionOfType(CommandFailedException.class)
                    .isThrownBy(() -> ports.requireFree(DemoCluster.WORKERS, Duration.ZERO))
                    .withMessageContaining("(router-service)");
        }
    }

    @Test
    void waitsForAPortThatIsAboutToBeFree() throws Exception {
        ServerSocket taken = calibrationSocket();
        CountDownLatch waited = new CountDownLatch(1);
        Thread waiting = Thread.startVirtualThread(() -> {
            new Ports(taken.getLocalPort() - 1).requireFree(DemoCluster.WORKERS, Duration.ofSeconds(30));
            waited.countDown();
        });

        assertThat(waited.await(100, TimeUnit.MILLISECONDS)).isFalse();
        taken.close();

        assertThat(waited.await(30, TimeUnit.SECONDS)).isTrue();
        waiting.join();
    }

    @Test
    void findsAFreePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(Ports.anyFree(), 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
        }
    }

    /** A taken port that is the only one taken of those that go with it, below those that systems give to connections. */
    private static ServerSocket calibrationSocket() throws IOException {
        while (true) {
            Ports ports = new Ports(ThreadLocalRandom.current().nextInt(10_000, 30_000));
            try {
                ports.requireFree(DemoCluster.WORKERS, Duration.ZERO);
                return new ServerSocket(ports.calibration(), 1, InetAddress.getLoopbackAddress());
            } catch (CommandFailedException | BindException e) {
                // Others are there.
            }
        }
    }
}
