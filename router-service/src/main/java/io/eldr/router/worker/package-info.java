/** The workers of a pool as this router sees them: states and health probes. */
@NullMarked
package io.eldr.router.worker;

import org.jspecify.annotations.NullMarked;
