package io.eldr.db.refit;

/** A refit was to go where it cannot go from its state, for instance on after somebody cancelled it. */
public final class IllegalTransitionException extends IllegalStateException {
    private final RefitState from;

    IllegalTransitionException(RefitState from, String action) {
        super("a refit that is " + from + " cannot " + action);
        this.from = from;
    }

    /** The state that it is in. */
    public RefitState from() {
        return from;
    }
}
