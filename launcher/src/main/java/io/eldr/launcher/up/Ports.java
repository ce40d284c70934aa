package io.eldr.launcher.up;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where everything listens, counted from one number N: router N, calibration N+1, admin N+2, their management ports
 * 1000 above, simulated workers from N+100.
 *
 * @param base N, 1 to 64,500
 */
record Ports(int base) {

    static final int MAX_BASE = 64_500;

    private static final int MANAGEMENT = 1_000;
    private static final int FIRST_WORKER = 100;
    private static final Duration PERIOD = Duration.ofMillis(200);
    private static final int CONNECT_MILLIS = 200;

    Ports {
        if (base < 1 || base > MAX_BASE) {
            throw new IllegalArgumentException("must be between 1 and " + MAX_BASE + " but is " + base);
        }
    }

    int router() {
        return base;
    }

    int calibration() {
        return base + 1;
    }

    int dashboard() {
        return base + 2;
    }

    int dashboardManagement() {
        return dashboard() + MANAGEMENT;
    }

    int routerManagement() {
        return router() + MANAGEMENT;
    }

    int calibrationManagement() {
        return calibration() + MANAGEMENT;
    }

    /** A simulated worker, by its place in {@link DemoCluster}. */
    int worker(int place) {
        return base + FIRST_WORKER + place;
    }

    /**
     * Checks the ports that are listened on from now on.
     *
     * @param workers how many simulated workers there will be
     * @param patience how long to wait for a port that is taken
     * @throws CommandFailedException naming the first port that is taken, who wants it, and what to do
     */
    void requireFree(int workers, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        Map<Integer, String> wanted = new LinkedHashMap<>();
        wanted.put(router(), "router-service");
        wanted.put(calibration(), "calibration-service");
        wanted.put(dashboard(), "admin-ui");
        wanted.put(routerManagement(), "router-service's management");
        wanted.put(calibrationManagement(), "calibration-service's management");
        wanted.put(dashboardManagement(), "admin-ui's management");
        for (int place = 0; place < workers; place++) {
            wanted.put(worker(place), DemoCluster.nameOf(place));
        }
        wanted.forEach((port, service) -> {
            while (isTaken(port)) {
                if (System.nanoTime() < deadline) {
                    Pauses.sleep(PERIOD);
                    continue;
                }
                throw new CommandFailedException("Port " + port + " (" + service
                        + ") is taken by another program; stop it, or choose other ports with --port-base N, which uses"
                        + " N to N+2, N+1000 to N+1002"
                        + (workers == 0 ? "" : " and N+" + FIRST_WORKER + " to N+" + (FIRST_WORKER + workers - 1)));
            }
        });
    }

    /** A free port that is none of ours, for what needs no fixed one. */
    static int anyFree() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isTaken(int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (ServerSocket socket = new ServerSocket()) {
            // A port whose last connections still linger is free for a server.
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException e) {
            return true;
        }
        // Some systems let us bind 127.0.0.1 beside a program that listens on every address.
        try (Socket probe = new Socket()) {
            probe.connect(address, CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
