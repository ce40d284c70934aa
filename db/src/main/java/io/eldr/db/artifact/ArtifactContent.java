package io.eldr.db.artifact;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** An artifact in its binary form. Immutable. */
public final class ArtifactContent {
    private final byte[] bytes;

    private ArtifactContent(byte[] bytes) {
        this.bytes = bytes;
    }

    public static ArtifactContent of(byte[] bytes) {
        if (bytes.length == 0) {
            throw new IllegalArgumentException("an artifact is never empty");
        }
        return new ArtifactContent(bytes.clone());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    public int size() {
        return bytes.length;
    }

    /** In hex. */
    public String sha256() {
        return HexFormat.of().formatHex(digest());
    }

    byte[] digest() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ArtifactContent that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "ArtifactContent[" + bytes.length + " bytes, sha256 " + sha256() + "]";
    }
}
