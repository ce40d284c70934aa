/** Calls to the calibration service, none of them on a request's way. */
@NullMarked
package io.eldr.router.calibration;

import org.jspecify.annotations.NullMarked;
