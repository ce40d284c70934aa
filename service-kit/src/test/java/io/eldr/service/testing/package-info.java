/** What the tests of several services need. */
@NullMarked
package io.eldr.service.testing;

import org.jspecify.annotations.NullMarked;
