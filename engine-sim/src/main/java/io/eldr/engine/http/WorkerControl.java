package io.eldr.engine.http;

import io.eldr.engine.fault.FaultCommand;
import tools.jackson.databind.node.ObjectNode;

/** What can be done to a worker from outside, over its own HTTP interface. */
public interface WorkerControl {
    /** Goes wrong as told; what ends this life of the worker begins a moment after this call. */
    void apply(FaultCommand command);

    /** Lets the requests that run for a duration of their own come to their end at once. */
    void finishHeld();

    /** What a person or a test wants to see. */
    ObjectNode state();
}
