package io.eldr.router.web;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.service.problem.Problems;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.server.ServerWebInputException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.IgnoredPropertyException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Says which field of a body or which parameter could not be read, and why, in the words of the API. */
final class InputProblems {

    private InputProblems() {}

    static ProblemDetail of(ServerWebInputException refusal) {
        for (Throwable cause = refusal.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidInputException invalid) {
                return Problems.invalid(invalid);
            }
            if (cause instanceof JacksonException json) {
                return of(json);
            }
        }
        MethodParameter parameter = refusal.getMethodParameter();
        String name = parameter == null || parameter.hasParameterAnnotation(RequestBody.class)
                ? null
                : parameter.getParameterName();
        String reason = refusal.getReason();
        return Problems.invalid(name == null ? "body" : name, reason == null ? "cannot be read" : reason);
    }

    private static ProblemDetail of(JacksonException json) {
        String field = path(json.getPath());
        return switch (json) {
            case IgnoredPropertyException ignored -> Problems.invalid(field, "is not known here");
            case UnrecognizedPropertyException unknown ->
                Problems.invalid(field, "is not known here; known are " + unknown.getKnownPropertyIds());
            case MismatchedInputException mismatch ->
                Problems.invalid(orBody(field), "must be " + typeName(mismatch.getTargetType()));
            case StreamReadException malformed ->
                Problems.invalid(
                        orBody(place(malformed)), "is not well-formed JSON: " + malformed.getOriginalMessage());
            default -> Problems.invalid(orBody(field), "cannot be read: " + json.getOriginalMessage());
        };
    }

    /** Where the reader stood. */
    private static String place(StreamReadException malformed) {
        JsonParser parser = malformed.processor();
        StringBuilder path = new StringBuilder();
        if (parser != null) {
            append(path, parser.streamReadContext());
        }
        return path.toString();
    }

    private static void append(StringBuilder path, @Nullable TokenStreamContext context) {
        if (context == null || context.inRoot()) {
            return;
        }
        append(path, context.getParent());
        if (context.inArray()) {
            path.append('[').append(context.getCurrentIndex()).append(']');
        } else if (context.currentName() != null) {
            path.append(path.isEmpty() ? "" : ".").append(context.currentName());
        }
    }

    private static String orBody(String field) {
        return field.isEmpty() ? "body" : field;
    }

    private static String path(List<JacksonException.Reference> references) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : references) {
            String property = reference.getPropertyName();
            if (property == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(property);
            }
        }
        return path.toString();
    }

    private static final Map<Class<?>, String> TYPE_NAMES = Map.of(
            String.class, "a string",
            Integer.class, "a whole number that fits 32 bits",
            Long.class, "a whole number that fits 64 bits",
            Double.class, "a number",
            Boolean.class, "true or false",
            List.class, "an array of strings");

    private static String typeName(@Nullable Class<?> type) {
        return type == null ? "of another type" : TYPE_NAMES.getOrDefault(type, "an object");
    }
}
