package io.eldr.engine.metrics;

/**
 * What a worker is doing at this moment.
 *
 * @param running requests that are computed
 * @param waiting requests that wait for a place, or for their KV
 * @param kvUse how much of the KV blocks is taken, 0 to 1
 * @param kvCapacityTokens how many tokens they hold
 * @param pinned prompts that are kept for decoders
 */
public record WorkerGauges(int running, int waiting, double kvUse, long kvCapacityTokens, int pinned) {}
