package io.eldr.service.access;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a token allows. An operator may do all that a viewer and a client may, an admin all that an operator may; a
 * viewer and a client have nothing in common.
 */
public enum Role {
    /** Reads everything. */
    VIEWER,
    /** Routes requests, keeps reservations and sends samples: what a gateway needs. */
    CLIENT,
    /** Starts refits, activates and rolls back artifacts, drains workers. */
    OPERATOR,
    /** Changes pools and overrides the gate. */
    ADMIN;

    /** This role and those it includes; unmodifiable. */
    public Set<Role> withIncluded() {
        return Collections.unmodifiableSet(
                switch (this) {
                    case VIEWER, CLIENT -> EnumSet.of(this);
                    case OPERATOR -> EnumSet.of(VIEWER, CLIENT, OPERATOR);
                    case ADMIN -> EnumSet.allOf(Role.class);
                });
    }

    /** The name of this role as an authority of Spring Security, so that {@code hasRole("VIEWER")} finds it. */
    public String authority() {
        return "ROLE_" + name();
    }
}
