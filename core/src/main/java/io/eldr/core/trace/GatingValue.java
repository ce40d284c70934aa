package io.eldr.core.trace;

/**
 * What a layer's gating network makes of a token before the k experts with the largest values are taken. Signatures of
 * these sums are compared with those of counts and never routed by (ELDR paper, section 4).
 */
public enum GatingValue {
    /** The softmax over all experts of the layer. */
    PROBABILITY("gate_prob", "gate_prob_sums.f16le.gz"),
    /** The raw logits. */
    LOGIT("gate_logit", "gate_logit_sums.f16le.gz");

    private final String id;
    private final String file;

    GatingValue(String id, String file) {
        this.id = id;
        this.file = file;
    }

    /** The name of the representation in reports. */
    public String id() {
        return id;
    }

    /** The name of the file in a trace's directory. */
    String file() {
        return file;
    }
}
