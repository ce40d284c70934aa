/** The decision API: routes a request, keeps its reservation, explains what was decided. */
@NullMarked
package io.eldr.router.route;

import org.jspecify.annotations.NullMarked;
