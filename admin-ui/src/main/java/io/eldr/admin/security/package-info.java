/** Who may call what, and what the browser may do. */
@NullMarked
package io.eldr.admin.security;

import org.jspecify.annotations.NullMarked;
