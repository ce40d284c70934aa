/** What the router asks for when the decoders are no longer those that an artifact was fitted for. */
@NullMarked
package io.eldr.router.topology;

import org.jspecify.annotations.NullMarked;
