/** A worker's HTTP interface: vLLM's paths, and two of its own to control it. */
@NullMarked
package io.eldr.engine.http;

import org.jspecify.annotations.NullMarked;
