/** The evaluation: what each figure of the ELDR paper becomes on recorded traces, as tables that charts are drawn from. */
@NullMarked
package io.eldr.simulator.report;

import org.jspecify.annotations.NullMarked;
