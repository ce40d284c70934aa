package io.eldr.engine.recording;

import io.eldr.core.cost.ActiveExperts;
import io.eldr.core.signature.Geometry;

/**
 * The experts of one recorded request, first those of its prompt and then those of its decoded tokens. A simulated request
 * that is longer goes through the recording again.
 */
public final class RecordedRequest {
    private final String id;
    private final Geometry geometry;
    private final int promptTokens;
    private final int decodeTokens;
    private final Rows rows;

    /** Which expert a token chose: token over prompt and decode, layer below L, rank below k. */
    @FunctionalInterface
    public interface Rows {
        int expertAt(int token, int layer, int rank);
    }

    RecordedRequest(String id, Geometry geometry, int promptTokens, int decodeTokens, Rows rows) {
        this.id = id;
        this.geometry = geometry;
        this.promptTokens = promptTokens;
        this.decodeTokens = decodeTokens;
        this.rows = rows;
    }

    /** Unique in its recording. */
    public String id() {
        return id;
    }

    public Geometry geometry() {
        return geometry;
    }

    /** The expert of a token of the prompt, however long the prompt is. */
    public int promptExpert(int token, int layer, int rank) {
        return rows.expertAt(token % promptTokens, layer, rank);
    }

    /** Adds the tokens of the prompt from {@code from} to before {@code to} to counts [L,E], layer-major. */
    public void countPrompt(int from, int to, int[] cells) {
        for (int token = from; token < to; token++) {
            int recorded = token % promptTokens;
            for (int layer = 0; layer < geometry.layers(); layer++) {
                for (int rank = 0; rank < geometry.topK(); rank++) {
                    cells[layer * geometry.experts() + rows.expertAt(recorded, layer, rank)]++;
                }
            }
        }
    }

    /** Adds the experts of a decoded token to what a step loads. */
    public void addDecoded(int token, ActiveExperts step) {
        int recorded = promptTokens + token % decodeTokens;
        for (int layer = 0; layer < geometry.layers(); layer++) {
            for (int rank = 0; rank < geometry.topK(); rank++) {
                step.add(layer, rows.expertAt(recorded, layer, rank));
            }
        }
    }

    @Override
    public String toString() {
        return "RecordedRequest[" + id + "]";
    }
}
