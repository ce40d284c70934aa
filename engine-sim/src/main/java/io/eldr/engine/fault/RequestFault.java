package io.eldr.engine.fault;

/** What goes wrong with one request. */
public sealed interface RequestFault {
    /** Nothing. */
    record None() implements RequestFault {}

    /** It is answered with an error. */
    record Status(int status) implements RequestFault {}

    /** It is never answered. */
    record Hang() implements RequestFault {}

    /** Its connection is reset after so many tokens. */
    record Reset(int afterTokens) implements RequestFault {}

    /** A prefill worker answers without {@code kv_transfer_params}. */
    record NoParams() implements RequestFault {}

    /** A prefill worker answers without a signature. */
    record NoSignature() implements RequestFault {}

    /** A prefill worker's signature is not base64. */
    record BrokenSignature() implements RequestFault {}
}
