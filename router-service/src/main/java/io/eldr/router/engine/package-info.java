/** What engines say and how it is read: bodies spliced byte for byte, answers of prefill workers, expert counts in them. */
@NullMarked
package io.eldr.router.engine;

import org.jspecify.annotations.NullMarked;
