package io.eldr.calibration.job;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;

/** Tells failures of the registry that pass by themselves from those that a second try meets again. */
public final class RegistryFailures {
    /** Connection, resources, operator's intervention, rolled back for the sake of another transaction. */
    private static final Set<String> PASSING_CLASSES = Set.of("08", "53", "57", "40");

    private RegistryFailures() {}

    public static boolean mayPass(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean passing = switch (cause) {
                case TransientDataAccessException _,
                        RecoverableDataAccessException _,
                        DataAccessResourceFailureException _,
                        SQLTransientException _,
                        SQLRecoverableException _,
                        IOException _ -> true;
                case SQLException sql -> passes(sql.getSQLState());
                default -> false;
            };
            if (passing) {
                return true;
            }
        }
        return false;
    }

    private static boolean passes(@Nullable String state) {
        return state != null && state.length() == 5 && PASSING_CLASSES.contains(state.substring(0, 2));
    }
}
