/** Measurements of running services on this machine. */
@NullMarked
package io.eldr.launcher.bench;

import org.jspecify.annotations.NullMarked;
