/** What operators and calibration want the router to do, as it stands in Postgres, and what the router reports back. */
@NullMarked
package io.eldr.router.intent;

import org.jspecify.annotations.NullMarked;
