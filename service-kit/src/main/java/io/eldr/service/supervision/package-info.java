/** A service that runs under a supervisor stops when the supervisor is gone. */
@NullMarked
package io.eldr.service.supervision;

import org.jspecify.annotations.NullMarked;
