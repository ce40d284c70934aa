/** Many runs beside one another: artifacts fitted, policies compared over seeds, written as JSON and as a table. */
@NullMarked
package io.eldr.simulator.study;

import org.jspecify.annotations.NullMarked;
