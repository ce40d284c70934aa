/** The registry on Postgres: one configuration that brings all entities, repositories and stores to a service. */
@NullMarked
package io.eldr.db;

import org.jspecify.annotations.NullMarked;
