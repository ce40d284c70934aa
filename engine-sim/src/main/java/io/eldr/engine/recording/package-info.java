/** Which experts each token of a request uses: recorded routing, or made up by seed. */
@NullMarked
package io.eldr.engine.recording;

import org.jspecify.annotations.NullMarked;
