package io.eldr.service.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The SHA-256 of a token, all that configuration keeps of it. Tokens are long and random, so a plain digest is enough:
 * there is nothing to guess that a slow hash would protect.
 */
public final class TokenDigest {

    private static final int BYTES = 32;

    private final byte[] sha256;

    private TokenDigest(byte[] sha256) {
        this.sha256 = sha256;
    }

    /** The digest of the token as it stands in the {@code Authorization} header (UTF-8). */
    public static TokenDigest of(String token) {
        try {
            return new TokenDigest(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /**
     * Reads a digest written as 64 hexadecimal digits, in either case.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    public static TokenDigest parse(String hex) {
        if (hex.length() != 2 * BYTES || !hex.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("must be the SHA-256 of the token as 64 hexadecimal digits");
        }
        return new TokenDigest(HexFormat.of().parseHex(hex));
    }

    /** Compares in a time that does not depend on where the digests differ. */
    public boolean matches(TokenDigest other) {
        return MessageDigest.isEqual(sha256, other.sha256);
    }

    /** The digest as 64 lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(sha256);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenDigest digest && matches(digest);
    }

    @Override
    public int hashCode() {
        return hex().hashCode();
    }

    @Override
    public String toString() {
        return hex();
    }
}
