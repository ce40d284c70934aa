/** Calls to running services. */
@NullMarked
package io.eldr.launcher.client;

import org.jspecify.annotations.NullMarked;
