/** Where each decoder keeps its experts when several ranks share them. */
@NullMarked
package io.eldr.core.placement;

import org.jspecify.annotations.NullMarked;
