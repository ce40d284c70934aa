/** Load that never drifts: in-flight counts per incarnation, and the reservations that raise and lower them once each. */
@NullMarked
package io.eldr.core.load;

import org.jspecify.annotations.NullMarked;
