package io.eldr.calibration.audit;

import io.eldr.db.audit.Actor;
import io.eldr.db.audit.AuditLog;
import io.eldr.db.audit.Change;
import io.eldr.service.access.Caller;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Writes down who changed what, with the states before and after as the API shows them. */
@Component
public class Audit {
    private final AuditLog log;
    private final JsonMapper json;

    Audit(AuditLog log, JsonMapper json) {
        this.log = log;
        this.json = json;
    }

    /** The name that rows of the registry carry for a caller: the user, where a service acts for one. */
    public static Actor actor(Caller caller) {
        return caller.actingUser()
                .map(user -> new Actor(user, Optional.of(caller.name())))
                .orElseGet(() -> Actor.of(caller.name()));
    }

    /**
     * Adds an entry to the transaction of the change.
     *
     * @param action a dotted word such as {@code pool.create}
     * @param subject the thing that changed, such as a slot or {@code version 3}
     * @param before its state before, empty where there was none
     * @param after its state after, empty where there is none
     */
    public void record(Actor actor, String action, String pool, String subject, Optional<?> before, Optional<?> after) {
        log.append(
                actor,
                new Change(
                        action,
                        Optional.of(pool),
                        subject,
                        before.map(json::writeValueAsString),
                        after.map(json::writeValueAsString)));
    }
}
