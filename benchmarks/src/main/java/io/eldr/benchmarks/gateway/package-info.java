/** What the gateway costs, beside other proxies: engines, proxies and load each in a process of its own. */
@NullMarked
package io.eldr.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;
