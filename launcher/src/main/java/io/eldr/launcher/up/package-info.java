/** The command {@code up}: everything on one machine, with a first artifact. */
@NullMarked
package io.eldr.launcher.up;

import org.jspecify.annotations.NullMarked;
