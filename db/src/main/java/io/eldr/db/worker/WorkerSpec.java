package io.eldr.db.worker;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.mapping.Checks;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a slot is to be used.
 *
 * @param url where the worker answers, http or https
 * @param weight its capacity beside the others', more than 0
 * @param maxInFlight how many requests it may run at once; empty: any number
 * @param revision the model revision that it runs, where known
 */
public record WorkerSpec(
        WorkerRole role, String url, double weight, OptionalInt maxInFlight, Probe probe, Optional<String> revision) {
    private static final double MAX_WEIGHT = 1_000_000;

    /** @throws InvalidInputException naming the field that is refused */
    public WorkerSpec {
        requireHttp(Checks.text("url", url, 2_000));
        Checks.range("weight", weight, Double.MIN_VALUE, MAX_WEIGHT);
        maxInFlight.ifPresent(value -> Checks.range("maxInFlight", value, 1, Integer.MAX_VALUE));
        revision.ifPresent(value -> Checks.text("revision", value, 200));
    }

    private static void requireHttp(String url) {
        try {
            URI uri = new URI(url);
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (!http || uri.getHost() == null || uri.getRawUserInfo() != null) {
                throw new InvalidInputException("url", "must be http://host:port or https://host:port, without a user");
            }
        } catch (URISyntaxException e) {
            throw new InvalidInputException("url", "is not a URL: " + e.getReason());
        }
    }
}
