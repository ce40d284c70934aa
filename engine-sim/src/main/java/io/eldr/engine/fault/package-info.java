/** What goes wrong on purpose. */
@NullMarked
package io.eldr.engine.fault;

import org.jspecify.annotations.NullMarked;
