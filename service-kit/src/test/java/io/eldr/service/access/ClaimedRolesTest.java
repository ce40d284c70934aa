package io.eldr.service.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimedRolesTest {
    private final ClaimedRoles plain = new ClaimedRoles("roles", Map.of());

    @Test
    void takesTheNamesOfRolesFromAListOrAString() {
        assertThat(plain.in(Map.of("roles", List.of("viewer", "staff", "client"))))
                .containsExactlyInAnyOrder(Role.VIEWER, Role.CLIENT);
        assertThat(plain.in(Map.of("roles", "openid operator"))).containsExactly(Role.OPERATOR);
    }

    @Test
    void takesTheValuesThatStandForARoleInsteadOfItsName() {
        ClaimedRoles mapped =
                new ClaimedRoles("groups", Map.of(Role.ADMIN, List.of("/eldr/admins"), Role.VIEWER, List.of()));

        assertThat(mapped.in(Map.of("groups", List.of("/eldr/admins")))).containsExactly(Role.ADMIN);
        assertThat(mapped.in(Map.of("groups", List.of("admin", "viewer", "operator"))))
                .containsExactly(Role.OPERATOR);
    }

    @Test
    void goesIntoObjectsAtDotsUnlessTheClaimItselfHasThem() {
        ClaimedRoles nested = new ClaimedRoles("realm_access.roles", Map.of());

        assertThat(nested.in(Map.of("realm_access", Map.of("roles", List.of("admin")))))
                .containsExactly(Role.ADMIN);
        assertThat(nested.in(Map.of("realm_access.roles", "viewer"))).containsExactly(Role.VIEWER);
    }

    @Test
    void findsNothingWhereThereIsNothing() {
        ClaimedRoles nested = new ClaimedRoles("a.b", Map.of());

        for (Object value : Arrays.asList("admin", List.of("admin"), 7, Map.of("c", "admin"), Map.of("b", 7))) {
            assertThat(nested.in(Map.of("a", value))).as("%s", value).isEmpty();
        }
        assertThat(nested.in(Map.of())).isEmpty();
        assertThat(plain.in(Map.of("roles", List.of("Admin", "root", "")))).isEmpty();
    }
}
