/** What routers say of themselves in the registry. */
@NullMarked
package io.eldr.calibration.router;

import org.jspecify.annotations.NullMarked;
