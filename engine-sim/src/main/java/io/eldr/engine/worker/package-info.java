/** One life of a worker: what happens to a request from its arrival to its end. */
@NullMarked
package io.eldr.engine.worker;

import org.jspecify.annotations.NullMarked;
