/** The built-in users and their passwords. */
@NullMarked
package io.eldr.admin.users;

import org.jspecify.annotations.NullMarked;
