/** Who is logged in: login, logout, and how often a login may fail. */
@NullMarked
package io.eldr.admin.session;

import org.jspecify.annotations.NullMarked;
