/** Evaluations of policies on a pool's samples. */
@NullMarked
package io.eldr.db.evaluation;

import org.jspecify.annotations.NullMarked;
