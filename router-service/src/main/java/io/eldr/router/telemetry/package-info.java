/** What the router measures about itself. */
@NullMarked
package io.eldr.router.telemetry;

import org.jspecify.annotations.NullMarked;
