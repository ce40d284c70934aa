/** The database's schema: migrated on command, waited for by the service. */
@NullMarked
package io.eldr.calibration.schema;

import org.jspecify.annotations.NullMarked;
