/** What the chart renders to. */
@NullMarked
package io.eldr.helm;

import org.jspecify.annotations.NullMarked;
