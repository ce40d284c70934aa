package io.eldr.core.artifact;

import io.eldr.core.signature.InvalidInputException;
import java.util.Map;
import java.util.Optional;

/**
 * How to tell from a prompt which experts its answer will use:
 *
 * <pre>q[l,e] = promptShare x c[l,e] / tokens + (1 - promptShare) x pattern[l,e]</pre>
 *
 * the frequencies of the prompt itself, mixed with the decode pattern of similar calibration requests.
 *
 * @param promptShare 0: the pattern alone; 1: the prompt alone
 * @param neighbours small groups of similar requests, whose patterns are weighted by similarity; absent: the pattern is
 *     that of the nearest cluster
 * @param logLoss what each way that was tried costs on requests not fitted, in nats for each layer of a decode token, by
 *     name; the smallest was chosen
 */
public record DecodeForecast(double promptShare, Optional<PatternNeighbours> neighbours, Map<String, Double> logLoss) {
    /** Where nothing was fitted: half the prompt, half its cluster. */
    public static final DecodeForecast UNFITTED = new DecodeForecast(0.5, Optional.empty(), Map.of());

    /** @throws InvalidInputException naming {@code forecast.promptShare} or {@code forecast.logLoss} */
    public DecodeForecast {
        logLoss = Map.copyOf(logLoss);
        if (!(promptShare >= 0 && promptShare <= 1)) {
            throw new InvalidInputException("forecast.promptShare", "must lie in [0, 1] but is " + promptShare);
        }
        for (double loss : logLoss.values()) {
            if (!Double.isFinite(loss)) {
                throw new InvalidInputException("forecast.logLoss", "must be finite but has " + loss);
            }
        }
    }

    /** What it goes by: {@code prompt}, {@code cluster}, {@code neighbours}, or {@code prompt+} one of these. */
    public String name() {
        if (promptShare == 1) {
            return "prompt";
        }
        String pattern = neighbours.isPresent() ? "neighbours" : "cluster";
        return promptShare == 0 ? pattern : "prompt+" + pattern;
    }
}
