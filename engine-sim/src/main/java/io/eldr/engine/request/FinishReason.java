package io.eldr.engine.request;

/** Why a generation ended. */
public enum FinishReason {
    STOP("stop"),
    LENGTH("length"),
    ABORT("abort"),
    ERROR("error");

    private final String text;

    FinishReason(String text) {
        this.text = text;
    }

    /** As vLLM writes it. */
    public String text() {
        return text;
    }
}
