package io.eldr.service.access;

import java.util.List;
import java.util.Optional;

/** The callers that are known by a bearer token of the configuration. Immutable and safe for any number of threads. */
public final class AccessTokens {

    private record Entry(TokenDigest digest, Caller caller) {}

    private final List<Entry> entries;

    public AccessTokens(AccessProperties properties) {
        entries = properties.tokens().stream()
                .map(token -> new Entry(
                        token.digest(),
                        new Caller(token.name(), token.role().withIncluded(), token.service(), Optional.empty())))
                .toList();
    }

    /**
     * Who holds this token, if anybody. Every known digest is compared in full, so the time taken says nothing about
     * which one was near.
     *
     * @param rawToken the token as it stands in the {@code Authorization} header, without the scheme
     */
    public Optional<Caller> find(String rawToken) {
        TokenDigest digest = TokenDigest.of(rawToken);
        Optional<Caller> found = Optional.empty();
        for (Entry entry : entries) {
            if (entry.digest().matches(digest)) {
                found = Optional.of(entry.caller());
            }
        }
        return found;
    }
}
