package io.eldr.core.trace;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A recorded routing trace, wholly checked and in memory: its bytes are held once, counts are made on demand.
 *
 * <p>A trace is a directory with {@code meta.json}, {@code index.jsonl} (one request a line) and the routing itself:
 * {@code experts.u8.gz} for the format {@code moe-routing-u8-v1} (every token's experts, prompt and decoded) or
 * {@code counts.u16le.gz} for {@code moe-counts-u16le-v1} (summed counts of the prompts only).
 *
 * @param model the model's name as the trace gives it
 * @param requests in the order of {@code index.jsonl}, at least one
 */
public record RoutingTrace(String model, Geometry geometry, List<TraceRequest> requests) {
    public RoutingTrace {
        requests = List.copyOf(requests);
    }

    /**
     * Reads a trace of either format.
     *
     * @throws InvalidInputException if a file is missing or damaged, or routing and index do not fit together: names
     *     the file and, where one is at fault, line or request, token and layer
     * @throws IOException if the file system fails
     */
    public static RoutingTrace read(Path directory) throws IOException {
        return new TraceReader(directory).read();
    }
}
