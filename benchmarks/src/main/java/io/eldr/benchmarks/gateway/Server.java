package io.eldr.benchmarks.gateway;

import io.eldr.benchmarks.process.ProcessFigures;

/** A process that stands between clients and engines. */
interface Server extends AutoCloseable {

    String name();

    int port();

    ProcessFigures process();

    @Override
    void close();
}
