package io.eldr.engine.request;

import java.util.OptionalInt;

/** What {@code kv_transfer_params} of a request ask for. */
public sealed interface KvTransfer {

    /** Nothing: the worker prefills and decodes by itself. */
    record Local() implements KvTransfer {}

    /**
     * Prefill, keep the blocks, and answer with one token.
     *
     * @param prefillFirst in the dialect of the ELDR authors' fork: that token is the client's first
     */
    record Produce(boolean prefillFirst) implements KvTransfer {}

    /**
     * Decode on blocks that another worker keeps.
     *
     * @param engineId which worker
     * @param requestId what it calls the request
     * @param firstToken the token that was generated there and sent already, in the authors' dialect
     */
    record Consume(String engineId, String requestId, OptionalInt firstToken) implements KvTransfer {}
}
