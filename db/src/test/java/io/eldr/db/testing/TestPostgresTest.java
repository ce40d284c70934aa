package io.eldr.db.testing;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TestPostgresTest {
    @Test
    void namesTheSwitchThatAsksForAnUnknownServer() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestPostgres.start("mysql"))
                .withMessageContaining("eldr.test.postgres must be docker or embedded");
    }
}
