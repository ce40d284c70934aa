/** Who calls, and what the caller may do: bearer tokens from configuration, each with one role. */
@NullMarked
package io.eldr.service.access;

import org.jspecify.annotations.NullMarked;
