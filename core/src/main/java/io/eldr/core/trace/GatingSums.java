package io.eldr.core.trace;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gating values of a trace's requests, summed over the tokens of each prompt. A trace's directory may have a file for each
 * kind of {@link GatingValue}: {@code [request][layer][expert]} little-endian float16, requests in the order of {@code
 * index.jsonl}.
 */
public final class GatingSums {
    private final GatingValue value;
    private final Geometry geometry;
    /** By request id, [layer][expert]. */
    private final Map<String, float[]> sums;

    private GatingSums(GatingValue value, Geometry geometry, Map<String, float[]> sums) {
        this.value = value;
        this.geometry = geometry;
        this.sums = sums;
    }

    /**
     * Reads what there is, at most one of each kind; most traces have none.
     *
     * @param directory the one that the trace was read from
     * @throws InvalidInputException if a file is damaged or of another length than the trace's requests make, or if a sum
     *     is no number, or a negative probability: names the file and, where one is at fault, the request
     * @throws IOException if the file system fails
     */
    public static List<GatingSums> read(Path directory, RoutingTrace trace) throws IOException {
        List<GatingSums> found = new ArrayList<>();
        for (GatingValue value : GatingValue.values()) {
            Path file = directory.resolve(value.file());
            if (Files.isRegularFile(file)) {
                found.add(read(file, value, trace));
            }
        }
        return List.copyOf(found);
    }

    private static GatingSums read(Path file, GatingValue value, RoutingTrace trace) throws IOException {
        int cells = trace.geometry().cells();
        byte[] data = DataLayout.even(value.file(), trace.requests(), cells * Short.BYTES)
                .read(file);
        Map<String, float[]> sums = new HashMap<>();
        int at = 0;
        for (TraceRequest request : trace.requests()) {
            float[] row = new float[cells];
            for (int cell = 0; cell < cells; cell++, at += Short.BYTES) {
                row[cell] = Float.float16ToFloat((short) ((data[at] & 0xFF) | (data[at + 1] << 8)));
                if (!Float.isFinite(row[cell]) || (value == GatingValue.PROBABILITY && row[cell] < 0)) {
                    int experts = trace.geometry().experts();
                    throw new InvalidInputException(
                            value.file(),
                            "request " + request.id() + ", layer " + cell / experts + ", expert " + cell % experts
                                    + ": the sum is " + row[cell]);
                }
            }
            sums.put(request.id(), row);
        }
        return new GatingSums(value, trace.geometry(), sums);
    }

    /** Which of the gating network's values these are. */
    public GatingValue value() {
        return value;
    }

    /** L and E of the sums. */
    public Geometry geometry() {
        return geometry;
    }

    /**
     * The sums over a request's prompt: a copy, {@code layer * E + expert}.
     *
     * @throws InvalidInputException if the trace has no such request
     */
    public float[] of(String requestId) {
        float[] row = sums.get(requestId);
        if (row == null) {
            throw new InvalidInputException(value.file(), "has no request " + requestId);
        }
        return row.clone();
    }
}
