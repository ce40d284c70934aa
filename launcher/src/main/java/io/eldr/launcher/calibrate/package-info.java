/** The method on recorded traces, without any service: fit an artifact, and see where it sends requests. */
@NullMarked
package io.eldr.launcher.calibrate;

import org.jspecify.annotations.NullMarked;
