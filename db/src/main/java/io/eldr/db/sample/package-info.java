/** Calibration samples: bulk intake, retention and streaming, with compressed payloads. */
@NullMarked
package io.eldr.db.sample;

import org.jspecify.annotations.NullMarked;
