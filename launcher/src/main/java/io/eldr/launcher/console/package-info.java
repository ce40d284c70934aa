/** What a command tells: results on standard output, everything else on standard error. */
@NullMarked
package io.eldr.launcher.console;

import org.jspecify.annotations.NullMarked;
