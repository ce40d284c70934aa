package io.eldr.engine.request;

import java.util.List;

/**
 * What a worker serves.
 *
 * @param models the names it answers to, its own first
 * @param maxModelLength the longest prompt and output together, in tokens
 */
public record RequestLimits(List<String> models, int maxModelLength) {
    public RequestLimits {
        models = List.copyOf(models);
        if (models.isEmpty()) {
            throw new IllegalArgumentException("models must name at least one");
        }
        if (maxModelLength < 2) {
            throw new IllegalArgumentException("maxModelLength must be at least 2 but is " + maxModelLength);
        }
    }

    public String model() {
        return models.getFirst();
    }
}
