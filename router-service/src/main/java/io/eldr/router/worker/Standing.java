package io.eldr.router.worker;

/** How a worker stands with this router, from what the router saw itself. */
public enum Standing {
    /** It never answered well, so it may still be loading. */
    NOT_SEEN,
    /** It can take traffic. */
    FIT,
    /** It failed; one request may try whether it is fit again. */
    ON_TRIAL,
    /** It failed, and gets no traffic for now. */
    EJECTED
}
