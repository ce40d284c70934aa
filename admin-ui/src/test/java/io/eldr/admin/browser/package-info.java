/** The dashboard as people use it: a real Chromium before everything that {@code ./eldr up} starts. */
@NullMarked
package io.eldr.admin.browser;

import org.jspecify.annotations.NullMarked;
