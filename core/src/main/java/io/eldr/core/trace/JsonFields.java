package io.eldr.core.trace;

import io.eldr.core.signature.InvalidInputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * The text and integer fields at the top of one JSON object, and its lists of small integers; a null is as good as absent.
 */
final class JsonFields {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private enum Other {
        KIND
    }

    private final String file;
    private final String place;
    private final Map<String, Object> values;

    private JsonFields(String file, String place, Map<String, Object> values) {
        this.file = file;
        this.place = place;
        this.values = values;
    }

    /**
     * @param file the file to name in a refusal
     * @param place where in the file, put before the reason; may be empty
     * @throws InvalidInputException if the text is not exactly one JSON object, or names a field twice
     */
    static JsonFields parse(String file, String place, String json) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidInputException(file, place + "is not a JSON object");
            }
            Map<String, Object> values = new HashMap<>();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                switch (parser.nextToken()) {
                    case VALUE_STRING -> values.put(name, parser.getString());
                    case VALUE_NUMBER_INT -> values.put(name, parser.getLongValue());
                    case VALUE_NULL -> {}
                    case START_ARRAY -> values.put(name, array(parser));
                    default -> {
                        values.put(name, Other.KIND);
                        parser.skipChildren();
                    }
                }
            }
            if (parser.nextToken() != null) {
                throw new InvalidInputException(file, place + "has more behind its JSON object");
            }
            return new JsonFields(file, place, values);
        } catch (JacksonException e) {
            throw new InvalidInputException(file, place + "is not intact JSON: " + e.getOriginalMessage());
        }
    }

    /** A list where all members are integers of 0 to 2^31 - 1. */
    private static Object array(JsonParser parser) {
        List<Integer> numbers = new ArrayList<>();
        boolean intact = true;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token == JsonToken.VALUE_NUMBER_INT
                    && parser.getNumberType() == JsonParser.NumberType.INT
                    && parser.getIntValue() >= 0) {
                numbers.add(parser.getIntValue());
            } else {
                intact = false;
                parser.skipChildren();
            }
        }
        return intact ? new Integers(numbers) : Other.KIND;
    }

    private record Integers(List<Integer> values) {}

    String text(String name) {
        return optionalText(name).orElseThrow(() -> refusal(name, "is missing"));
    }

    Optional<String> optionalText(String name) {
        return switch (values.get(name)) {
            case null -> Optional.empty();
            case String text -> Optional.of(text);
            default -> throw refusal(name, "must be text");
        };
    }

    /** A required integer of 0 or more. */
    long integer(String name, long max) {
        return optionalInteger(name, max).orElseThrow(() -> refusal(name, "is missing"));
    }

    Optional<Long> optionalInteger(String name, long max) {
        return switch (values.get(name)) {
            case null -> Optional.empty();
            case Long number -> {
                if (number < 0) {
                    throw refusal(name, "is negative (" + number + ")");
                }
                if (number > max) {
                    throw refusal(name, "is " + number + ", more than " + max);
                }
                yield Optional.of(number);
            }
            default -> throw refusal(name, "must be an integer");
        };
    }

    /** A list of integers from 0 to 2^31 - 1. */
    Optional<List<Integer>> optionalIntegers(String name) {
        return switch (values.get(name)) {
            case null -> Optional.empty();
            case Integers numbers -> Optional.of(numbers.values());
            default -> throw refusal(name, "must be a list of integers from 0 to " + Integer.MAX_VALUE);
        };
    }

    InvalidInputException refusal(String name, String reason) {
        return new InvalidInputException(file, place + name + " " + reason);
    }
}
