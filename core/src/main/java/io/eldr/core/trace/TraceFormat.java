package io.eldr.core.trace;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The formats of a recorded trace, as {@code meta.json} names them. */
enum TraceFormat {
    /** The chosen expert of every token, layer and rank, one unsigned byte each; prompt tokens first. */
    TOKEN_EXPERTS("moe-routing-u8-v1", "experts.u8.gz", 256, true),
    /** The summed counts of every request's prompt, [layer][expert] little-endian uint16. */
    PREFILL_COUNTS("moe-counts-u16le-v1", "counts.u16le.gz", Geometry.MAX_EXPERTS, false);

    private final String tag;
    private final String dataFile;
    private final int maxExperts;
    private final boolean recordsDecode;

    TraceFormat(String tag, String dataFile, int maxExperts, boolean recordsDecode) {
        this.tag = tag;
        this.dataFile = dataFile;
        this.maxExperts = maxExperts;
        this.recordsDecode = recordsDecode;
    }

    static TraceFormat named(String tag) {
        return Arrays.stream(values())
                .filter(format -> format.tag.equals(tag))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(
                        TraceReader.META,
                        "format '" + tag + "' is unknown; known are "
                                + Arrays.stream(values()).map(f -> f.tag).collect(Collectors.joining(", "))));
    }

    String tag() {
        return tag;
    }

    String dataFile() {
        return dataFile;
    }

    /** The largest E whose experts the format can name. */
    int maxExperts() {
        return maxExperts;
    }

    boolean recordsDecode() {
        return recordsDecode;
    }

    /** How many bytes of the unzipped data file a request takes. */
    long bytes(Geometry geometry, long tokens) {
        return switch (this) {
            case TOKEN_EXPERTS -> tokens * geometry.layers() * geometry.topK();
            case PREFILL_COUNTS -> 2L * geometry.cells();
        };
    }
}
