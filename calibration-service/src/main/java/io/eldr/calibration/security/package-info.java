/** Which role may call what. */
@NullMarked
package io.eldr.calibration.security;

import org.jspecify.annotations.NullMarked;
