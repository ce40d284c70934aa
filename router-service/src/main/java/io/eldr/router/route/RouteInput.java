package io.eldr.router.route;

import io.eldr.core.load.Lease;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.RawForm;
import io.eldr.router.RouterProperties;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.util.MultiValueMap;

/** Turns what a client sent into a command, or refuses it by the name of the field at fault. */
@Component
final class RouteInput {

    private static final Set<String> PARAMETERS = new TreeSet<>(
            List.of("pool", "requestId", "promptTokens", "label", "candidates", "exclude", "dryRun", "leaseSeconds"));

    private final Pools pools;
    private final Lease defaultLease;

    RouteInput(Pools pools, RouterProperties properties) {
        this.pools = pools;
        this.defaultLease = Lease.ofSeconds(properties.reservations().lease().toSeconds());
    }

    RouteCommand of(RouteRequest body) {
        Pool pool = pool(body.pool());
        int promptTokens = RouteCommand.promptTokens(body.promptTokens());
        return new RouteCommand(
                pool,
                RouteCommand.requestId(body.requestId()),
                promptTokens,
                RouteCommand.label(body.label()),
                RouteCommand.candidates(body.candidates()),
                RouteCommand.exclude(body.exclude()),
                body.dryRun() != null && body.dryRun(),
                RouteCommand.lease(body.leaseSeconds(), defaultLease),
                Optional.ofNullable(body.signature())
                        .map(signature -> SignatureInput.counts(
                                "signature",
                                signature,
                                OptionalInt.of(promptTokens),
                                pool.state().intent().model().geometry())));
    }

    /** @param counts the body, raw counts */
    RouteCommand of(MultiValueMap<String, String> parameters, byte[] counts) {
        parameters.forEach((name, values) -> {
            if (!PARAMETERS.contains(name)) {
                throw new InvalidInputException(name, "is not known here; known are " + PARAMETERS);
            }
            if (values.stream().anyMatch(Objects::isNull)) {
                throw new InvalidInputException(name, "needs a value: " + name + "=..");
            }
        });
        Pool pool = pool(single(parameters, "pool"));
        return new RouteCommand(
                pool,
                RouteCommand.requestId(single(parameters, "requestId")),
                RouteCommand.promptTokens(integer(parameters, "promptTokens")),
                RouteCommand.label(single(parameters, "label")),
                RouteCommand.candidates(list(parameters, "candidates")),
                RouteCommand.exclude(list(parameters, "exclude")),
                bool(parameters, "dryRun"),
                RouteCommand.lease(integer(parameters, "leaseSeconds"), defaultLease),
                Optional.of(RawForm.read(
                        "body", counts, pool.state().intent().model().geometry())));
    }

    private Pool pool(@Nullable String name) {
        String required = RouteCommand.required("pool", name);
        return pools.find(required)
                .orElseThrow(() -> Problems.exception(ProblemType.NOT_FOUND, "There is no such pool."));
    }

    private static @Nullable String single(MultiValueMap<String, String> parameters, String name) {
        List<String> values = parameters.get(name);
        if (values == null || values.isEmpty()) {
            return null;
        }
        if (values.size() > 1) {
            throw new InvalidInputException(name, "is given " + values.size() + " times");
        }
        return values.getFirst();
    }

    private static @Nullable Integer integer(MultiValueMap<String, String> parameters, String name) {
        String value = single(parameters, name);
        if (value == null) {
            return null;
        }
        try {
            return Integer.valueOf(value);
        } catch (NumberFormatException e) {
            throw new InvalidInputException(name, "must be a whole number up to " + Integer.MAX_VALUE);
        }
    }

    private static boolean bool(MultiValueMap<String, String> parameters, String name) {
        String value = single(parameters, name);
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw new InvalidInputException(name, "must be true or false");
    }

    /** Given several times or with commas between. */
    private static @Nullable List<String> list(MultiValueMap<String, String> parameters, String name) {
        List<String> values = parameters.get(name);
        if (values == null) {
            return null;
        }
        List<String> list = new ArrayList<>();
        for (String value : values) {
            if (value != null) {
                list.addAll(List.of(value.split(",", -1)));
            }
        }
        return list;
    }
}
