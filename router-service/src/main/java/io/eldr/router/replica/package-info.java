/** The other routers behind the same address: which live, and how what is theirs reaches them. */
@NullMarked
package io.eldr.router.replica;

import org.jspecify.annotations.NullMarked;
