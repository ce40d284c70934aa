/** The errors a caller of a service sees: RFC 9457 problem details whose type never changes its meaning. */
@NullMarked
package io.eldr.service.problem;

import org.jspecify.annotations.NullMarked;
