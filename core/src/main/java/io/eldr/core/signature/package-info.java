/** Expert counts of a prompt, and what a routing artifact makes of them: a unit vector that can be compared. */
@NullMarked
package io.eldr.core.signature;

import org.jspecify.annotations.NullMarked;
