package io.eldr.calibration.audit;

import io.eldr.db.audit.AuditEntry;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An entry of the audit log as the API shows it.
 *
 * @param actor the user or the token's name
 * @param actingThrough the service whose token was used on the user's behalf
 * @param action a dotted word such as {@code pool.create}
 * @param subject the thing that changed
 */
record AuditView(
        long id,
        Instant at,
        String actor,
        Optional<String> actingThrough,
        String action,
        Optional<String> pool,
        String subject,
        Optional<JsonNode> before,
        Optional<JsonNode> after) {
    static AuditView of(AuditEntry entry, JsonMapper json) {
        return new AuditView(
                entry.id(),
                entry.at(),
                entry.actor().name(),
                entry.actor().through(),
                entry.change().action(),
                entry.change().pool(),
                entry.change().subject(),
                entry.change().before().map(json::readTree),
                entry.change().after().map(json::readTree));
    }
}
