package io.eldr.core.trace;

import io.eldr.core.signature.InvalidInputException;

/**
 * A line of {@code index.jsonl}.
 *
 * @param offset where the request begins in the unzipped data file, in bytes
 */
record IndexEntry(String id, String domain, int prefillTokens, int decodeTokens, long offset) {
    /** @throws InvalidInputException naming line and field; fields that are not listed here are passed over */
    static IndexEntry parse(int lineNumber, String line, TraceFormat format) {
        JsonFields fields = JsonFields.parse(TraceReader.INDEX, "line " + lineNumber + ": ", line);
        String id = fields.text("id");
        if (id.isBlank()) {
            throw fields.refusal("id", "must not be blank");
        }
        return new IndexEntry(
                id,
                fields.optionalText("domain").orElse(""),
                (int) fields.integer("prefillTokens", Integer.MAX_VALUE),
                decodeTokens(fields, format),
                fields.integer("offset", Long.MAX_VALUE));
    }

    private static int decodeTokens(JsonFields fields, TraceFormat format) {
        if (format.recordsDecode()) {
            return (int) fields.integer("decodeTokens", Integer.MAX_VALUE);
        }
        if (fields.optionalInteger("decodeTokens", Integer.MAX_VALUE).orElse(0L) > 0) {
            throw fields.refusal("decodeTokens", "must be absent or 0: " + format.tag() + " has prompts only");
        }
        return 0;
    }

    long tokens() {
        return (long) prefillTokens + decodeTokens;
    }
}
