/** Commands that send a recorded trace to running services. */
@NullMarked
package io.eldr.launcher.traffic;

import org.jspecify.annotations.NullMarked;
