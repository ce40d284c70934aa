/** Workers that nobody registered: those that Kubernetes knows of, followed by list and watch. */
@NullMarked
package io.eldr.router.discovery;

import org.jspecify.annotations.NullMarked;
