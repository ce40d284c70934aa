/** The dashboard under test, the services behind it and the browsers before it. */
@NullMarked
package io.eldr.admin.testing;

import org.jspecify.annotations.NullMarked;
