package io.eldr.core.artifact;

import io.eldr.core.signature.InvalidInputException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/**
 * JSON as maps, lists, strings, numbers and booleans, with checked access by field name. Just enough for artifacts, so
 * that the core needs no data binding.
 */
final class JsonTree {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .build();

    private final Map<String, @Nullable Object> fields;

    private JsonTree(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /** @throws InvalidInputException naming {@code what} if the bytes are not one JSON object */
    static JsonTree parse(String what, byte[] json) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidInputException(what, "must be a JSON object");
            }
            JsonTree tree = new JsonTree(readObject(parser));
            if (parser.nextToken() != null) {
                throw new InvalidInputException(what, "must be one JSON object with nothing behind it");
            }
            return tree;
        } catch (JacksonException e) {
            throw new InvalidInputException(what, "is not valid JSON: " + e.getOriginalMessage());
        } catch (NumberFormatException | ArithmeticException e) {
            throw new InvalidInputException(what, "holds a number that is out of range");
        }
    }

    /** The JSON text of a value read by {@link #parse}. */
    static String write(@Nullable Object value) {
        java.io.StringWriter text = new java.io.StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(generator, value);
        }
        return text.toString();
    }

    static JsonGenerator generator(java.io.OutputStream out) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
    }

    Iterable<String> names() {
        return fields.keySet();
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    /** The JSON text of a field. */
    String text(String name) {
        return write(fields.get(name));
    }

    String string(String name) {
        if (require(name) instanceof String value) {
            return value;
        }
        throw new InvalidInputException(name, "must be a string");
    }

    int integer(String name) {
        long value = longInteger(name);
        if (value != (int) value) {
            throw new InvalidInputException(name, "is out of range: " + value);
        }
        return (int) value;
    }

    long longInteger(String name) {
        return asLong(name, require(name));
    }

    double number(String name) {
        return asDouble(name, require(name));
    }

    JsonTree object(String name) {
        if (require(name) instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(String.valueOf(key), value));
            return new JsonTree(copy);
        }
        throw new InvalidInputException(name, "must be an object");
    }

    int[] integers(String name) {
        List<@Nullable Object> list = list(name);
        int[] values = new int[list.size()];
        for (int i = 0; i < values.length; i++) {
            long value = asLong(name + "[" + i + "]", list.get(i));
            if (value != (int) value) {
                throw new InvalidInputException(name + "[" + i + "]", "is out of range: " + value);
            }
            values[i] = (int) value;
        }
        return values;
    }

    double[] numbers(String name) {
        return numbers(name, list(name));
    }

    /** Numbers of which some may be null, which stands for NaN. */
    double[] numbersOrNaN(String name) {
        List<@Nullable Object> list = list(name);
        list.replaceAll(value -> value == null ? Double.valueOf(Double.NaN) : value);
        return numbers(name, list);
    }

    List<String> strings(String name) {
        List<String> values = new ArrayList<>();
        for (Object element : list(name)) {
            if (!(element instanceof String value)) {
                throw new InvalidInputException(name + "[" + values.size() + "]", "must be a string");
            }
            values.add(value);
        }
        return values;
    }

    List<@Nullable Object> list(String name) {
        return asList(name, require(name));
    }

    static List<@Nullable Object> asList(String name, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return new ArrayList<>(list);
        }
        throw new InvalidInputException(name, "must be an array");
    }

    static double[] numbers(String name, List<@Nullable Object> list) {
        double[] values = new double[list.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = list.get(i);
            if (!(value instanceof Number number)) {
                throw new InvalidInputException(name + "[" + i + "]", "must be a number");
            }
            values[i] = number.doubleValue();
        }
        return values;
    }

    private Object require(String name) {
        Object value = fields.get(name);
        if (value == null) {
            throw new InvalidInputException(name, "is missing");
        }
        return value;
    }

    private static long asLong(String name, @Nullable Object value) {
        if (value instanceof Long number) {
            return number;
        }
        throw new InvalidInputException(name, "must be an integer");
    }

    private static double asDouble(String name, @Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new InvalidInputException(name, "must be a number");
    }

    private static Map<String, @Nullable Object> readObject(JsonParser parser) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            fields.put(name, readValue(parser));
        }
        return fields;
    }

    private static @Nullable Object readValue(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(readValue(parser));
                }
                yield elements;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> {
                BigInteger value = parser.getBigIntegerValue();
                yield value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
            }
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case null, default -> throw new InvalidInputException("", "is not valid JSON");
        };
    }

    private static void write(JsonGenerator generator, @Nullable Object value) {
        switch (value) {
            case null -> generator.writeNull();
            case Map<?, ?> map -> {
                generator.writeStartObject();
                map.forEach((name, field) -> {
                    generator.writeName(String.valueOf(name));
                    write(generator, field);
                });
                generator.writeEndObject();
            }
            case List<?> list -> {
                generator.writeStartArray();
                list.forEach(element -> write(generator, element));
                generator.writeEndArray();
            }
            case String text -> generator.writeString(text);
            case Boolean bool -> generator.writeBoolean(bool);
            case Long number -> generator.writeNumber(number);
            case BigInteger number -> generator.writeNumber(number);
            case BigDecimal number -> generator.writeNumber(number);
            default -> throw new IllegalArgumentException("Not JSON: " + value.getClass());
        }
    }
}
