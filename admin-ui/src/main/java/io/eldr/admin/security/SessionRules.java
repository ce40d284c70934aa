package io.eldr.admin.security;

import io.eldr.admin.users.UserDirectory;
import java.time.InstantSource;
import org.springframework.stereotype.Component;

/** Whether a login still counts. */
@Component
public final class SessionRules {
    private final UserDirectory users;
    private final InstantSource clock;

    SessionRules(UserDirectory users, InstantSource clock) {
        this.users = users;
        this.clock = clock;
    }

    public boolean isValid(AdminUser user) {
        return clock.instant().isBefore(user.expiresAt())
                && (!user.builtIn()
                        || users.roleOf(user.name()).filter(user.role()::equals).isPresent());
    }
}
