/** What long work has in common that runs once across replicas, is watched, streamed, cancelled, and started again. */
@NullMarked
package io.eldr.calibration.job;

import org.jspecify.annotations.NullMarked;
