/** The dashboard: one origin for the browser in front of the routers and the calibration service. */
@NullMarked
package io.eldr.admin;

import org.jspecify.annotations.NullMarked;
