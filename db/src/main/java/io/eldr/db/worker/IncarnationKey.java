package io.eldr.db.worker;

import java.io.Serializable;

/** What makes an incarnation one: its slot in a pool and the process's uid. */
record IncarnationKey(long poolId, String slot, String uid) implements Serializable {}
