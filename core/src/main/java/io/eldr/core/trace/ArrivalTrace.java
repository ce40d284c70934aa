package io.eldr.core.trace;

import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * When requests of a real service came and how long they were, by time. Published traces of this kind know nothing of
 * experts.
 */
public final class ArrivalTrace {
    /** How many prompt tokens one prefix block stands for. */
    public static final int BLOCK_TOKENS = 512;

    private static final int[] NO_BLOCKS = {};

    private final double[] seconds;
    private final int[] promptTokens;
    private final int[] outputTokens;
    /** Empty where the trace does not say what prompts have in common. */
    private final int[][] blocks;

    /** Adopts the arrays. */
    ArrivalTrace(double[] seconds, int[] promptTokens, int[] outputTokens, int[][] blocks) {
        this.seconds = seconds;
        this.promptTokens = promptTokens;
        this.outputTokens = outputTokens;
        this.blocks = blocks;
    }

    /**
     * Reads a trace, gzipped or not: the Azure LLM inference traces of 2023 ({@code TIMESTAMP,ContextTokens,
     * GeneratedTokens}), or Mooncake's JSON lines ({@code timestamp} in ms, {@code input_length}, {@code output_length},
     * {@code hash_ids}).
     *
     * @throws InvalidInputException naming the file and the line at fault
     * @throws IOException if the file system fails
     */
    public static ArrivalTrace read(Path file) throws IOException {
        return ArrivalReader.read(file);
    }

    /** How many requests there are, at least 2. */
    public int size() {
        return seconds.length;
    }

    /** When a request came, in seconds after the first; rising. */
    public double seconds(int request) {
        return seconds[request];
    }

    /** At least 1. */
    public int promptTokens(int request) {
        return promptTokens[request];
    }

    /** At least 1. */
    public int outputTokens(int request) {
        return outputTokens[request];
    }

    /** Whether it is known what prompts have in common. */
    public boolean hasBlocks() {
        return blocks.length > 0;
    }

    /**
     * The names of the prompt's blocks of {@link #BLOCK_TOKENS} tokens: two prompts with the same first n names begin with
     * the same tokens. Not to be changed; empty where nothing is known.
     */
    public int[] blocks(int request) {
        return hasBlocks() ? blocks[request] : NO_BLOCKS;
    }

    /** How long the trace takes, the pause before it may be repeated included. */
    public double periodSeconds() {
        return seconds[seconds.length - 1] * seconds.length / (seconds.length - 1.0);
    }

    /** Requests a second. */
    public double rate() {
        return size() / periodSeconds();
    }

    public double meanPromptTokens() {
        return Arrays.stream(promptTokens).average().orElseThrow();
    }

    public double meanOutputTokens() {
        return Arrays.stream(outputTokens).average().orElseThrow();
    }
}
