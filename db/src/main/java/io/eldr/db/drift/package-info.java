/** What routers observe of requests, merged per pool, and what the windows said. */
@NullMarked
package io.eldr.db.drift;

import org.jspecify.annotations.NullMarked;
