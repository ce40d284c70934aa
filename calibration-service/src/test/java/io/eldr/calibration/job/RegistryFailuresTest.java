package io.eldr.calibration.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.UncategorizedSQLException;

class RegistryFailuresTest {
    @Test
    void triesAgainWhatPasses() {
        assertThat(RegistryFailures.mayPass(new DataAccessResourceFailureException("gone")))
                .isTrue();
        assertThat(RegistryFailures.mayPass(new CannotAcquireLockException("locked")))
                .isTrue();
    }

    @Test
    void failsAtOnceOnWhatItWouldMeetAgain() {
        assertThat(RegistryFailures.mayPass(new DataIntegrityViolationException("too long")))
                .isFalse();
        assertThat(RegistryFailures.mayPass(
                        new BadSqlGrammarException("read", "select", new SQLException("no column", "42703"))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"57P01, true", "08006, true", "53300, true", "40001, true", "22003, false", "23505, false", ", false"})
    void goesByTheStateWhereSpringDoesNotSay(String state, boolean passes) {
        assertThat(RegistryFailures.mayPass(
                        new UncategorizedSQLException("write", "insert", new SQLException("refused", state))))
                .isEqualTo(passes);
    }
}
