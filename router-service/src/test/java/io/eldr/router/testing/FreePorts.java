package io.eldr.router.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that nobody listens on, for whoever must know its own before it listens. They are below those that systems give
 * to whoever connects, who could take one meanwhile.
 */
public final class FreePorts {
    private static final int FROM = 10_000;
    private static final int TO = 30_000;
    private static final int TRIES = 1_000;

    private FreePorts() {}

    /** Distinct ones. */
    public static List<Integer> of(int count) {
        Set<Integer> free = new LinkedHashSet<>();
        for (int i = 0; i < TRIES && free.size() < count; i++) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            if (isFree(port)) {
                free.add(port);
            }
        }
        if (free.size() < count) {
            throw new IllegalStateException("no " + count + " free ports from " + FROM + " to " + TO);
        }
        return List.copyOf(free);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
            return true;
        } catch (BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
