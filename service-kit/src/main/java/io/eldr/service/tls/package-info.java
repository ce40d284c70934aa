/** How services of ours trust one another. */
@NullMarked
package io.eldr.service.tls;

import org.jspecify.annotations.NullMarked;
