/** Policies compared in simulation, without any service. */
@NullMarked
package io.eldr.launcher.simulate;

import org.jspecify.annotations.NullMarked;
