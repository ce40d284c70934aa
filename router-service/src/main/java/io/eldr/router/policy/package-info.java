/** Which policy decides: turns by the clock, shadows beside the live one, and what they are found to be worth. */
@NullMarked
package io.eldr.router.policy;

import org.jspecify.annotations.NullMarked;
