/** Who did what, and how it is written down and read. */
@NullMarked
package io.eldr.calibration.audit;

import org.jspecify.annotations.NullMarked;
