/** The services behind this one, and how they are called. */
@NullMarked
package io.eldr.admin.upstream;

import org.jspecify.annotations.NullMarked;
