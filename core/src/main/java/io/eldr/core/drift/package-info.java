/** Whether the requests that routers see still are those that an artifact was fitted on. */
@NullMarked
package io.eldr.core.drift;

import org.jspecify.annotations.NullMarked;
