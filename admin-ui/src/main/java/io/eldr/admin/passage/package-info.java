/** Calls that are passed on to the services, by role. */
@NullMarked
package io.eldr.admin.passage;

import org.jspecify.annotations.NullMarked;
