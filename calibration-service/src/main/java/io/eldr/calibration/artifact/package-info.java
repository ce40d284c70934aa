/** Artifact versions: published, imported, downloaded, activated and rolled back. */
@NullMarked
package io.eldr.calibration.artifact;

import org.jspecify.annotations.NullMarked;
