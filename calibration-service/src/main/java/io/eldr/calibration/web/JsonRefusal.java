package io.eldr.calibration.web;

import io.eldr.core.signature.InvalidInputException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What Jackson says of a JSON text, as a refusal that names the field and shows no Java. */
public final class JsonRefusal {
    private static final int SHOWN = 100;

    private JsonRefusal() {}

    public static InvalidInputException of(JacksonException refusal) {
        for (Throwable cause = refusal.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidInputException invalid) {
                return invalid;
            }
        }
        String field = path(refusal.getPath());
        return switch (refusal) {
            case UnrecognizedPropertyException unknown -> new InvalidInputException(field, "is not known");
            case InvalidFormatException format ->
                new InvalidInputException(
                        orBody(field), "has a value of the wrong kind: '" + shown(format.getValue()) + "'");
            case MismatchedInputException mismatch -> new InvalidInputException(orBody(field), "has the wrong type");
            case StreamReadException syntax ->
                new InvalidInputException(
                        orBody(field),
                        (isDuplicate(syntax) ? "has a key twice at line " : "is not JSON at line ")
                                + syntax.getLocation().getLineNr() + ", column "
                                + syntax.getLocation().getColumnNr());
            default -> new InvalidInputException(orBody(field), "cannot be read");
        };
    }

    private static boolean isDuplicate(StreamReadException syntax) {
        return String.valueOf(syntax.getOriginalMessage()).startsWith("Duplicate");
    }

    private static String orBody(String field) {
        return field.isEmpty() ? "body" : field;
    }

    private static String path(List<Reference> references) {
        StringBuilder path = new StringBuilder();
        for (Reference reference : references) {
            if (reference.getPropertyName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
            }
        }
        return path.toString();
    }

    private static String shown(Object value) {
        String text = String.valueOf(value);
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "..";
    }
}
