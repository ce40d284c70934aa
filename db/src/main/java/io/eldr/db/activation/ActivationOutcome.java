package io.eldr.db.activation;

/** What became of the wish to serve a version. Only {@link Activated} changed anything. */
public sealed interface ActivationOutcome {
    record Activated(Activation activation) implements ActivationOutcome {}

    /** The version is the one that is served. */
    record AlreadyActive(Activation current) implements ActivationOutcome {}

    /** The pool has no artifact of this version. */
    record UnknownVersion(int version) implements ActivationOutcome {}

    /** There is no version to roll back to. */
    record NothingBefore() implements ActivationOutcome {}

    /** There is no such pool, or it was deleted. */
    record UnknownPool() implements ActivationOutcome {}
}
