package io.eldr.router.engine;

import io.eldr.core.signature.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON object as the bytes of its members. Members are taken out and put in without touching the others, so that what an
 * engine or a client wrote reaches the other side byte for byte: numbers of any size, unknown fields, spelling and all.
 */
public final class JsonMembers {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNestingDepth(500)
                    .maxNumberLength(10_000)
                    .build())
            .build();

    private static final JsonMapper VALUES = JsonMapper.shared();

    private final byte[] bytes;
    private final List<Member> members;

    private JsonMembers(byte[] bytes, List<Member> members) {
        this.bytes = bytes;
        this.members = members;
    }

    /** Where a member and its value lie in the bytes. */
    private record Member(String name, int start, int valueStart, int end) {}

    /**
     * Reads an object that makes up all of the bytes.
     *
     * @param field the name to give to what was refused
     * @throws InvalidInputException if they are anything else than one JSON object in UTF-8
     */
    public static JsonMembers of(String field, byte[] bytes) {
        return of(field, bytes, 0, bytes.length, true);
    }

    /** @param alone whether the object makes up all of the bytes, and does not only begin them */
    private static JsonMembers of(String field, byte[] bytes, int from, int to, boolean alone) {
        List<Member> members = new ArrayList<>();
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes, from, to - from)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidInputException(field, "must be a JSON object");
            }
            JsonToken token = json.nextToken();
            while (token == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                int start = from + (int) json.currentTokenLocation().getByteOffset();
                json.nextToken();
                int valueStart = from + (int) json.currentTokenLocation().getByteOffset();
                json.skipChildren();
                // Where the next token begins tells where this value ends, without decoding it: it may have megabytes.
                token = json.nextToken();
                int next = from + (int) json.currentTokenLocation().getByteOffset();
                members.add(new Member(name, start, valueStart, endBefore(bytes, next)));
            }
            if (alone && json.nextToken() != null) {
                throw new InvalidInputException(field, "must be one JSON object with nothing after it");
            }
        } catch (JacksonException malformed) {
            throw new InvalidInputException(field, "is not well-formed JSON: " + malformed.getOriginalMessage());
        }
        for (Member member : members) {
            // Another encoding than UTF-8 would be read right and cut wrong.
            if (member.start() < from || bytes[member.start()] != '"') {
                throw new InvalidInputException(field, "must be JSON in UTF-8");
            }
        }
        return new JsonMembers(bytes, members);
    }

    /** Where a value ends that only white space and a comma part from the next token. */
    private static int endBefore(byte[] bytes, int next) {
        int end = next;
        while (end > 0 && isBetweenTokens(bytes[end - 1])) {
            end--;
        }
        return end;
    }

    private static boolean isBetweenTokens(byte character) {
        return character == ' ' || character == ',' || character == '\n' || character == '\r' || character == '\t';
    }

    /** The bytes of a member's value; of the last one where a name occurs more than once, as most readers take it. */
    public Optional<byte[]> value(String name) {
        return last(name).map(member -> copy(member.valueStart(), member.end()));
    }

    /** The first bytes of a member's value, and no more than so many. */
    public Optional<byte[]> begin(String name, int most) {
        return last(name).map(member -> copy(member.valueStart(), Math.min(member.end(), member.valueStart() + most)));
    }

    /**
     * A member's value as a tree, for small ones.
     *
     * @throws InvalidInputException naming the member if it cannot be read
     */
    public Optional<JsonNode> node(String name) {
        return last(name).map(member -> {
            try {
                return VALUES.readTree(bytes, member.valueStart(), member.end() - member.valueStart());
            } catch (JacksonException unreadable) {
                throw new InvalidInputException(name, "cannot be read: " + unreadable.getOriginalMessage());
            }
        });
    }

    /** A member's value where it is a text. */
    public Optional<String> text(String name) {
        return last(name).filter(member -> bytes[member.valueStart()] == '"').flatMap(member -> {
            int length = member.end() - member.valueStart() - 2;
            return isPlain(member.valueStart() + 1, length)
                    ? Optional.of(new String(bytes, member.valueStart() + 1, length, StandardCharsets.ISO_8859_1))
                    : node(name).map(JsonNode::stringValue);
        });
    }

    /** ASCII without escapes, as base64 is: its bytes are its characters. */
    private boolean isPlain(int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (bytes[i] < 0 || bytes[i] == '\\') {
                return false;
            }
        }
        return true;
    }

    /** A member's value where it is a whole number of 32 bits. */
    public OptionalInt integer(String name) {
        return node(name)
                .filter(JsonNode::isInt)
                .map(node -> OptionalInt.of(node.intValue()))
                .orElse(OptionalInt.empty());
    }

    /** A member's value read as an object; empty where it is absent or something else. */
    public Optional<JsonMembers> object(String name) {
        return last(name)
                .filter(member -> bytes[member.valueStart()] == '{')
                .map(member -> of(name, bytes, member.valueStart(), member.end(), true));
    }

    /** The first element of a member's value where that is a list that begins with an object. */
    public Optional<JsonMembers> firstOf(String name) {
        return last(name).filter(member -> bytes[member.valueStart()] == '[').flatMap(list -> {
            int first = list.valueStart() + 1;
            while (isBetweenTokens(bytes[first])) {
                first++;
            }
            return bytes[first] == '{' ? Optional.of(of(name, bytes, first, list.end(), false)) : Optional.empty();
        });
    }

    /** Whether a member is there with a value other than null. */
    public boolean has(String name) {
        return last(name).filter(member -> bytes[member.valueStart()] != 'n').isPresent();
    }

    private Optional<Member> last(String name) {
        for (int i = members.size() - 1; i >= 0; i--) {
            if (members.get(i).name().equals(name)) {
                return Optional.of(members.get(i));
            }
        }
        return Optional.empty();
    }

    /** Starts an object that has the same members. */
    public Splice splice() {
        return new Splice(this);
    }

    private byte[] copy(int from, int to) {
        byte[] copy = new byte[to - from];
        System.arraycopy(bytes, from, copy, 0, copy.length);
        return copy;
    }

    /** Another object made of the members of one, without some and with others. */
    public static final class Splice {
        private final JsonMembers source;
        private final List<byte[]> added = new ArrayList<>();
        private Predicate<String> kept = name -> true;

        private Splice(JsonMembers source) {
            this.source = source;
        }

        /** Whether the original has a member with a value other than null. */
        public boolean has(String name) {
            return source.has(name);
        }

        /** Leaves members out, however often they occur. */
        public Splice without(Set<String> names) {
            kept = kept.and(name -> !names.contains(name));
            return this;
        }

        /** Puts a member in the place of those of the same name. */
        public Splice with(String name, String json) {
            return with(name, json.getBytes(StandardCharsets.UTF_8));
        }

        /** Puts a member in the place of those of the same name. */
        public Splice with(String name, byte[] json) {
            without(Set.of(name));
            ByteArrayOutputStream member = new ByteArrayOutputStream(name.length() + json.length + 3);
            member.writeBytes(("\"" + name + "\":").getBytes(StandardCharsets.UTF_8));
            member.writeBytes(json);
            added.add(member.toByteArray());
            return this;
        }

        /** The object's bytes: what was kept, in its order, then what was added. */
        public byte[] toBytes() {
            List<Member> left = source.members.stream()
                    .filter(member -> kept.test(member.name()))
                    .toList();
            // Bodies may have megabytes: they are copied once.
            int members = left.size() + added.size();
            int length = left.stream()
                            .mapToInt(member -> member.end() - member.start())
                            .sum()
                    + added.stream().mapToInt(member -> member.length).sum()
                    + Math.max(1, members)
                    + 1;
            ByteBuffer out = ByteBuffer.allocate(length).put((byte) '{');
            int written = 0;
            for (Member member : left) {
                out.put(source.bytes, member.start(), member.end() - member.start());
                separate(out, ++written, members);
            }
            for (byte[] member : added) {
                out.put(member);
                separate(out, ++written, members);
            }
            return out.put((byte) '}').array();
        }

        private static void separate(ByteBuffer out, int written, int members) {
            if (written < members) {
                out.put((byte) ',');
            }
        }
    }
}
