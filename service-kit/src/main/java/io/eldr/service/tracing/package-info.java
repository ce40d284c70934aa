/** Traces to a collector, off unless one is named. A service that has them brings OpenTelemetry's SDK and exporter. */
@NullMarked
package io.eldr.service.tracing;

import org.jspecify.annotations.NullMarked;
