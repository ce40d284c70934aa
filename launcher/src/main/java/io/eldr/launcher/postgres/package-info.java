/** A Postgres of our own on this machine: unpacked, started, stopped, and never left behind. */
@NullMarked
package io.eldr.launcher.postgres;

import org.jspecify.annotations.NullMarked;
