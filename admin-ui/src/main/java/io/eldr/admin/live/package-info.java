/** What is going on, gathered once a second for all who watch. */
@NullMarked
package io.eldr.admin.live;

import org.jspecify.annotations.NullMarked;
