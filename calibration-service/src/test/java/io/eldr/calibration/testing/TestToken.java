package io.eldr.calibration.testing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** The tokens that a service under test knows. */
public enum TestToken {
    VIEWER("viewer"),
    CLIENT("client"),
    OPERATOR("operator"),
    ADMIN("admin"),
    /** An admin's that may name the user it acts for. */
    UI("admin");

    private final String role;

    TestToken(String role) {
        this.role = role;
    }

    public String raw() {
        return "token-of-" + caller();
    }

    /** The name that audit rows carry. */
    public String caller() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> properties() {
        List<String> properties = new ArrayList<>();
        TestToken[] tokens = values();
        for (int i = 0; i < tokens.length; i++) {
            TestToken token = tokens[i];
            String prefix = "eldr.access.tokens[" + i + "].";
            properties.add(prefix + "name=" + token.caller());
            properties.add(prefix + "role=" + token.role);
            properties.add(prefix + "sha256=" + sha256(token.raw()));
            properties.add(prefix + "service=" + (token == UI));
        }
        return properties;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
