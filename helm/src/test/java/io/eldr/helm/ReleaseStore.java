package io.eldr.helm;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The secrets in which Helm keeps its releases, which its client sends and takes in the cluster's binary form. Nothing is read of
 * them but their names and labels; they are given back as they came.
 */
final class ReleaseStore {
    static final String CONTENT_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int LENGTH_DELIMITED = 2;

    /** Numbers of fields. */
    private static final int RAW = 2;

    private static final int METADATA = 1;
    private static final int ITEMS = 2;
    private static final int NAME = 1;
    private static final int LABELS = 11;

    private final Map<String, byte[]> secrets = new TreeMap<>();

    /** Takes one; answers with it. */
    byte[] put(byte[] envelope) {
        byte[] secret = first(strip(envelope), RAW);
        secrets.put(text(first(first(secret, METADATA), NAME)), secret);
        return envelope;
    }

    Optional<byte[]> get(String name) {
        return Optional.ofNullable(secrets.get(name)).map(secret -> envelope("Secret", secret));
    }

    boolean remove(String name) {
        return secrets.remove(name) != null;
    }

    /** All that bear these labels. */
    byte[] list(Map<String, String> labels) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        field(list, METADATA, new byte[0]);
        secrets.values().stream()
                .filter(secret -> labelsOf(secret).entrySet().containsAll(labels.entrySet()))
                .forEach(secret -> field(list, ITEMS, secret));
        return envelope("SecretList", list.toByteArray());
    }

    private static Map<String, String> labelsOf(byte[] secret) {
        Map<String, String> labels = new HashMap<>();
        for (byte[] entry : all(first(secret, METADATA), LABELS)) {
            labels.put(text(first(entry, 1)), text(first(entry, 2)));
        }
        return labels;
    }

    private static byte[] envelope(String kind, byte[] raw) {
        ByteArrayOutputStream type = new ByteArrayOutputStream();
        field(type, 1, "v1".getBytes(StandardCharsets.UTF_8));
        field(type, 2, kind.getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(MAGIC);
        field(out, 1, type.toByteArray());
        field(out, RAW, raw);
        return out.toByteArray();
    }

    private static byte[] strip(byte[] envelope) {
        return Arrays.copyOfRange(envelope, MAGIC.length, envelope.length);
    }

    private static byte[] first(byte[] message, int number) {
        return all(message, number).stream().findFirst().orElse(new byte[0]);
    }

    /** The values of a field that has a length. */
    private static List<byte[]> all(byte[] message, int number) {
        List<byte[]> found = new ArrayList<>();
        int[] at = {0};
        while (at[0] < message.length) {
            long tag = varint(message, at);
            long value = varint(message, at);
            if ((tag & 7) == LENGTH_DELIMITED) {
                int end = at[0] + (int) value;
                if (tag >>> 3 == number) {
                    found.add(Arrays.copyOfRange(message, at[0], end));
                }
                at[0] = end;
            }
        }
        return found;
    }

    private static long varint(byte[] message, int[] at) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = message[at[0]++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static void field(ByteArrayOutputStream out, int number, byte[] value) {
        out.write((number << 3) | LENGTH_DELIMITED);
        int rest = value.length;
        while (rest > 0x7f) {
            out.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
        out.writeBytes(value);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
