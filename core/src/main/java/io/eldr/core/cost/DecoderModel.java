package io.eldr.core.cost;

/**
 * How long a worker takes, in milliseconds. A decode step of a batch of B requests with U_l distinct experts in layer l takes
 *
 * <pre>{@code   step = t0 + sum over layers (10.4 a + a U_l + 0.06 a B) + c x tokens of context}</pre>
 *
 * so it is a sum of prices: {@link #fixedMillis} for any step, {@link #expertMillis} for each active expert of each layer,
 * {@link #requestMillis} for each request and {@link #kvTokenMillis} for each token of context. Pure functions of the
 * constants.
 */
public final class DecoderModel {
    private static final double MICROS = 1e-3;

    private final ModelConstants constants;
    private final double fixedMillis;
    private final double expertMillis;
    private final double requestMillis;
    private final double kvTokenMillis;

    /** A decoder that loads its experts alone. */
    public DecoderModel(ModelConstants constants) {
        this(constants, 1);
    }

    /**
     * @param ranks G, over how many ranks the experts are spread. With more than one, the active experts that are given to
     *     this model are those of the busiest rank of each layer, and every layer costs the exchange between ranks
     */
    public DecoderModel(ModelConstants constants, int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks must be at least 1 but is " + ranks);
        }
        double exchange = ranks == 1 ? 0 : constants.rankLayerMicros();
        this.constants = constants;
        this.expertMillis = constants.expertMicros() * MICROS;
        this.fixedMillis = constants.stepMicros() * MICROS
                + constants.layers() * (constants.layerExperts() * expertMillis + exchange * MICROS);
        this.requestMillis = constants.layers() * constants.requestExperts() * expertMillis;
        this.kvTokenMillis = constants.kvTokenMicros() * MICROS;
    }

    public ModelConstants constants() {
        return constants;
    }

    /** What a step costs before any request: t0 and the layers themselves. */
    public double fixedMillis() {
        return fixedMillis;
    }

    /** a: what one more active expert in one layer adds to a step. */
    public double expertMillis() {
        return expertMillis;
    }

    /** What one more request adds to a step over all layers, besides its experts and its context. */
    public double requestMillis() {
        return requestMillis;
    }

    /** c: what one more token of context adds to a step. */
    public double kvTokenMillis() {
        return kvTokenMillis;
    }

    /**
     * One decode step.
     *
     * @param activeExperts the sum over layers of U_l, of the busiest rank where there are several; an estimate may be
     *     fractional
     * @param batch B, how many requests take part
     * @param kvTokens the context of all of them together
     */
    public double stepMillis(double activeExperts, int batch, long kvTokens) {
        return fixedMillis + expertMillis * activeExperts + requestMillis * batch + kvTokenMillis * kvTokens;
    }

    /** @param tokens of the prompt that no cache holds */
    public double prefillMillis(int tokens) {
        return (constants.prefillMicros() + constants.prefillTokenMicros() * tokens) * MICROS;
    }

    /** The time in which a decoder pulls the KV of a prompt; the prefill worker holds its blocks so long. */
    public double handoffMillis(int promptTokens) {
        return (constants.handoffMicros() + constants.handoffTokenMicros() * promptTokens) * MICROS;
    }
}
