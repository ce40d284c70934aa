/** The same requests to several pools through the gateway, and what a token takes in each, as their client sees it. */
@NullMarked
package io.eldr.launcher.compare;

import org.jspecify.annotations.NullMarked;
