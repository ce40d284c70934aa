package io.eldr.benchmarks.gateway;

import java.util.List;

/**
 * What the gateway costs on loopback.
 *
 * @param targets the client itself, the gateway, and other proxies that are installed
 * @param streams many answers at a time through the gateway
 */
public record GatewayFigures(List<Target> targets, Streams streams) {
    /**
     * One way to the engines.
     *
     * @param hops how many connections it adds to a request: two where it passes through prefill and decode, one where a
     *     proxy only stands before the decode worker, none where the client does it all
     * @param rps requests a second, many at a time
     * @param addedP50ms what it adds to the median request, one at a time, against a client that calls the same workers itself
     * @param addedP99ms the same of the slowest in a hundred
     * @param cpuMsPerRequest what its own process spends on each request, many at a time
     * @param rssMiB what its own process holds in memory after that
     * @param abortPropagation of requests whose client left, the share that the engine saw leave
     */
    public record Target(
            String name,
            int hops,
            double rps,
            double addedP50ms,
            double addedP99ms,
            double cpuMsPerRequest,
            double rssMiB,
            double abortPropagation) {}

    /**
     * Answers that all run at once.
     *
     * @param concurrent how many
     * @param completed how many of them came to their end
     * @param warmRssMiB what the gateway's process holds in memory after as many in an earlier round
     * @param rssMiB what it holds after the last round
     */
    public record Streams(int concurrent, int completed, double warmRssMiB, double rssMiB) {}
}
