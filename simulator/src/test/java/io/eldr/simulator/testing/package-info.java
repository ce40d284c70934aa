/** What tests simulate. */
@NullMarked
package io.eldr.simulator.testing;

import org.jspecify.annotations.NullMarked;
