package io.eldr.core.trace;

import io.eldr.core.signature.InvalidInputException;

/** Which tokens of a recorded request make its signature; the option {@code --signature-from}. */
public sealed interface SignatureSource {
    /** The option's name, which refusals carry as their field. */
    String OPTION = "--signature-from";

    /** The prompt's tokens; the decoded ones are the target. What a router sees in service. */
    record Prefill() implements SignatureSource {
        @Override
        public String toString() {
            return "prefill";
        }
    }

    /**
     * The first recorded decode tokens, for traces without prompts; the recorded rest is the target. A proxy for early
     * decoding, not a prefill signature, and reports must call it so. Requests with fewer than twice as many decode
     * tokens are left out.
     *
     * @param tokens n, how many, 1 to 1,000,000
     */
    record Decode(int tokens) implements SignatureSource {
        private static final int MAX_TOKENS = 1_000_000;

        public Decode {
            if (tokens < 1 || tokens > MAX_TOKENS) {
                throw new InvalidInputException(
                        OPTION, "decode:n needs n between 1 and " + MAX_TOKENS + " but got " + tokens);
            }
        }

        @Override
        public String toString() {
            return "decode:" + tokens;
        }
    }

    /**
     * Parses {@code prefill} or {@code decode:n}.
     *
     * @throws InvalidInputException naming {@code --signature-from}
     */
    static SignatureSource parse(String text) {
        if (text.equals("prefill")) {
            return new Prefill();
        }
        if (text.matches("decode:[0-9]{1,9}")) {
            return new Decode(Integer.parseInt(text.substring("decode:".length())));
        }
        throw new InvalidInputException(
                OPTION, "must be 'prefill' or 'decode:n' with a whole number n but is '" + text + "'");
    }
}
