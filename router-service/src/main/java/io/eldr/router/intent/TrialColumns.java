package io.eldr.router.intent;

import io.eldr.core.routing.HotRule;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.ShadowRule;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.core.signature.InvalidInputException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a pool's optional settings. What this router does not know, such as a newer policy, is off and logged. */
final class TrialColumns {

    private static final Logger log = LoggerFactory.getLogger(TrialColumns.class);

    private TrialColumns() {}

    private interface Reading<T> {
        T read() throws SQLException;
    }

    static Optional<HotRule> hot(ResultSet row) throws SQLException {
        return ifSet(
                row,
                "hot_factor",
                () -> new HotRule(
                        row.getDouble("hot_factor"), row.getInt("hot_min_excess"), row.getDouble("hot_kv_cap")));
    }

    static Optional<ShadowRule> shadow(ResultSet row) throws SQLException {
        return ifSet(
                row,
                "shadow_policy",
                () -> new ShadowRule(
                        PolicyName.of("shadow.policy", row.getString("shadow_policy")),
                        JdbcIntent.number(row, "shadow_tau")));
    }

    static Optional<SwitchbackRule> switchback(ResultSet row) throws SQLException {
        return ifSet(
                row,
                "switchback_first",
                () -> new SwitchbackRule(
                        PolicyName.of("switchback.policies", row.getString("switchback_first")),
                        PolicyName.of("switchback.policies", row.getString("switchback_second")),
                        row.getInt("switchback_minutes")));
    }

    private static <T> Optional<T> ifSet(ResultSet row, String column, Reading<T> reading) throws SQLException {
        if (row.getObject(column) == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(reading.read());
        } catch (InvalidInputException e) {
            log.error("Pool {} goes without a setting: {}", row.getString("name"), e.getMessage());
            return Optional.empty();
        }
    }
}
