package io.eldr.benchmarks.gateway;

/** A process that stands between clients and engines. */
interface Server extends AutoCloseable {

    String name();

    int port();

    ProcessFigures process();

    @Override
    void close();
}
