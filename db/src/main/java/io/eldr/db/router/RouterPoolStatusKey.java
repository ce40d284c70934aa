package io.eldr.db.router;

import java.io.Serializable;

/** A router and a pool that it serves. */
record RouterPoolStatusKey(String routerId, long poolId) implements Serializable {}
