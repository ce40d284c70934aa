/** {@code ./eldr report}: the evaluation as one page and as JSON. */
@NullMarked
package io.eldr.launcher.report;

import org.jspecify.annotations.NullMarked;
