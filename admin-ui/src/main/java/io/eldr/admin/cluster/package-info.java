/** Which decoder serves which cluster, as the services tell it. */
@NullMarked
package io.eldr.admin.cluster;

import org.jspecify.annotations.NullMarked;
