/** Who may call what. */
@NullMarked
package io.eldr.router.security;

import org.jspecify.annotations.NullMarked;
