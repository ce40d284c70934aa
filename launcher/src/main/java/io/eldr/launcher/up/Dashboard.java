package io.eldr.launcher.up;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The secrets of the dashboard. They are kept with the other state, so that a person can log in again after a restart.
 *
 * @param token what the dashboard is known by at the services
 * @param passwords of its first users, by name
 */
record Dashboard(String token, Map<String, String> passwords) {
    static final String ADMIN = "admin";
    private static final List<String> USERS = List.of(ADMIN, "operator", "viewer");
    private static final String PREFIX = "dashboard-";

    Dashboard {
        passwords = Map.copyOf(passwords);
    }

    /** @param random where secrets that are not there yet come from; must be fit for secrets */
    static Dashboard of(DataFolder data, RandomGenerator random) throws IOException {
        Map<String, String> passwords = new TreeMap<>();
        for (String user : USERS) {
            passwords.put(user, data.secret(PREFIX + user, random));
        }
        return new Dashboard(data.secret(PREFIX + "token", random), passwords);
    }

    String passwordOf(String user) {
        return passwords.getOrDefault(user, "");
    }

    /** As the service takes them from its environment. */
    Map<String, String> secrets() {
        Map<String, String> secrets = new HashMap<>(Map.of("ELDR_ADMIN_TOKEN", token));
        passwords.forEach((user, password) ->
                secrets.put("ELDR_ADMIN_USERS_PASSWORDS_" + user.toUpperCase(Locale.ROOT), password));
        return secrets;
    }

    @Override
    public String toString() {
        return "Dashboard[users=" + passwords.keySet() + "]";
    }
}
