/** The command line behind {@code ./eldr}. */
@NullMarked
package io.eldr.launcher;

import org.jspecify.annotations.NullMarked;
