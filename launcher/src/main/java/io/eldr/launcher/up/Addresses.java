package io.eldr.launcher.up;

import java.net.URI;

/**
 * The services' addresses on this machine.
 *
 * @param ports where they listen
 */
record Addresses(Ports ports) {

    URI router() {
        return at(ports.router());
    }

    URI dashboard() {
        return at(ports.dashboard());
    }

    URI calibration() {
        return at(ports.calibration());
    }

    /** A simulated worker, by its place in {@link DemoCluster}. */
    URI worker(int place) {
        return at(ports.worker(place));
    }

    private static URI at(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }
}
