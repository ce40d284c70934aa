/** Child processes that run as long as the supervisor does, and are started again when they die. */
@NullMarked
package io.eldr.launcher.supervision;

import org.jspecify.annotations.NullMarked;
