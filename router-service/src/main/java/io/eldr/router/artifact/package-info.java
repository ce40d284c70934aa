/** Artifacts on their way in: fetched, verified, accepted or refused, and kept on disk for a start without Postgres. */
@NullMarked
package io.eldr.router.artifact;

import org.jspecify.annotations.NullMarked;
