/** What the router sees of its requests' signatures, collected beside the decisions and told to the calibration service. */
@NullMarked
package io.eldr.router.observation;

import org.jspecify.annotations.NullMarked;
