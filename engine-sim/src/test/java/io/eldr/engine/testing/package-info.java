/** What tests of workers have in common. */
@NullMarked
package io.eldr.engine.testing;

import org.jspecify.annotations.NullMarked;
