package io.eldr.engine.cluster;

/** What a worker is for. It can do both, as vLLM can; what it is asked for decides. */
public enum Role {
    PREFILL("prefill"),
    DECODE("decode");

    private final String text;

    Role(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
