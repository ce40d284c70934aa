/** What all endpoints share: problems, limits of bodies, the description of the API. */
@NullMarked
package io.eldr.calibration.web;

import org.jspecify.annotations.NullMarked;
