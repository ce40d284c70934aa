/** What every endpoint shares: problem details, health paths and the status page. */
@NullMarked
package io.eldr.router.web;

import org.jspecify.annotations.NullMarked;
