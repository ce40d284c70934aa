package io.eldr.router.policy;

/** Who says how long tokens took. The same request may be told of by both, so a trial goes by one of them. */
enum TpotSource {
    /** Whoever closes the reservations of this router. */
    CLOSES("closes"),
    /** The engines' own histograms, of all requests that they finish, whichever router placed them. */
    ENGINES("engines");

    private final String id;

    TpotSource(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }
}
