/** What the browser loads, and the description of the API. */
@NullMarked
package io.eldr.admin.web;

import org.jspecify.annotations.NullMarked;
