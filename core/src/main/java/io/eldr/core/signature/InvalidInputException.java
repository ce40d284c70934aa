package io.eldr.core.signature;

/**
 * Input from outside that cannot be accepted. It names the field at fault, so that whoever sent it knows what to mend;
 * services map it once to a problem with status 400.
 */
public final class InvalidInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String reason;

    public InvalidInputException(String field, String reason) {
        super(field.isEmpty() ? reason : field + ": " + reason);
        this.field = field;
        this.reason = reason;
    }

    /** The name of the field at fault as its sender wrote it, for example {@code signature.eldr.counts}. */
    public String field() {
        return field;
    }

    /** Why the field was refused, without its name. */
    public String reason() {
        return reason;
    }

    /** The same refusal seen from one level further out: {@code prefix.field}. */
    public InvalidInputException within(String prefix) {
        return new InvalidInputException(field.isEmpty() ? prefix : prefix + "." + field, reason);
    }
}
