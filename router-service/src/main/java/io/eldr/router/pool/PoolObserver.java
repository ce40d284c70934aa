package io.eldr.router.pool;

/** Hears which pools there are and what becomes of their artifacts. */
public interface PoolObserver {

    /** The router serves it from now on. */
    void added(Pool pool);

    /** Its state may have changed; also said when it did not. */
    void changed(Pool pool);

    /** The router no longer serves it. */
    void removed(String pool);

    /** An activation was not followed. */
    void refused(String pool);
}
