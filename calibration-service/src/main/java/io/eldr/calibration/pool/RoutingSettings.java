package io.eldr.calibration.pool;

import io.eldr.core.routing.HotRule;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.ShadowRule;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.core.signature.InvalidInputException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The settings of a pool that are objects, and JSON null to switch them off. */
final class RoutingSettings {
    private RoutingSettings() {}

    /** What is absent is taken from {@link HotRule#DEFAULT}. */
    static Optional<HotRule> hot(JsonNode value) {
        if (value.isNull()) {
            return Optional.empty();
        }
        requireFields("hot", value, Set.of("factor", "minExcess", "kvCap"));
        return Optional.of(new HotRule(
                value.has("factor") ? number("hot.factor", value.get("factor")) : HotRule.DEFAULT.factor(),
                value.has("minExcess") ? integer("hot.minExcess", value.get("minExcess")) : HotRule.DEFAULT.minExcess(),
                value.has("kvCap") ? number("hot.kvCap", value.get("kvCap")) : HotRule.DEFAULT.kvCap()));
    }

    static Optional<ShadowRule> shadow(JsonNode value) {
        if (value.isNull()) {
            return Optional.empty();
        }
        requireFields("shadow", value, Set.of("policy", "tau"));
        return Optional.of(new ShadowRule(
                policy("shadow.policy", value.path("policy")),
                value.has("tau") ? OptionalDouble.of(number("shadow.tau", value.get("tau"))) : OptionalDouble.empty()));
    }

    static Optional<SwitchbackRule> switchback(JsonNode value) {
        if (value.isNull()) {
            return Optional.empty();
        }
        requireFields("switchback", value, Set.of("policies", "minutes"));
        JsonNode policies = value.path("policies");
        if (!policies.isArray() || policies.size() != 2) {
            throw new InvalidInputException("switchback.policies", "must be an array of two policies");
        }
        return Optional.of(new SwitchbackRule(
                policy("switchback.policies[0]", policies.get(0)),
                policy("switchback.policies[1]", policies.get(1)),
                integer("switchback.minutes", value.path("minutes"))));
    }

    /** A shadow policy as the API shows it. */
    record ShadowView(String policy, Optional<Double> tau) {
        static ShadowView of(ShadowRule rule) {
            return new ShadowView(
                    rule.policy().id(),
                    rule.tau().isPresent() ? Optional.of(rule.tau().getAsDouble()) : Optional.empty());
        }
    }

    /** Policies that take turns, as the API shows them. */
    record SwitchbackView(List<String> policies, int minutes) {
        static SwitchbackView of(SwitchbackRule rule) {
            return new SwitchbackView(List.of(rule.first().id(), rule.second().id()), rule.minutes());
        }
    }

    private static void requireFields(String field, JsonNode value, Set<String> known) {
        if (!value.isObject()) {
            throw new InvalidInputException(field, "must be an object or null");
        }
        for (String name : value.propertyNames()) {
            if (!known.contains(name)) {
                throw new InvalidInputException(
                        field + "." + name, "is not known here; known are " + new TreeSet<>(known));
            }
        }
    }

    private static PolicyName policy(String field, JsonNode value) {
        if (!value.isString()) {
            throw new InvalidInputException(field, value.isMissingNode() ? "is missing" : "must be a string");
        }
        return PolicyName.of(field, value.stringValue());
    }

    private static double number(String field, JsonNode value) {
        if (!value.isNumber()) {
            throw new InvalidInputException(field, "must be a number");
        }
        return value.doubleValue();
    }

    private static int integer(String field, JsonNode value) {
        if (!value.isInt()) {
            throw new InvalidInputException(field, value.isMissingNode() ? "is missing" : "must be a whole number");
        }
        return value.intValue();
    }
}
