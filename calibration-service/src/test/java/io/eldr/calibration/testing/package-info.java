/** The service as its callers meet it: a running one on a real Postgres, and a client. */
@NullMarked
package io.eldr.calibration.testing;

import org.jspecify.annotations.NullMarked;
