/** What clients measured and told this router, for whoever compares pools. */
@NullMarked
package io.eldr.router.report;

import org.jspecify.annotations.NullMarked;
