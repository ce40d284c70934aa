package io.eldr.engine.worker;

import io.eldr.engine.prefill.Prefilled;
import io.eldr.engine.request.FinishReason;

/** Hears what becomes of a generation; one call at a time, on the engine's threads. */
public interface GenerationListener {
    /** The prompt is computed here; comes before the first token, and not where another worker had it. */
    void onPrefilled(Prefilled prefilled);

    /** @param index 0 for the first token of the request, whichever worker generates it */
    void onToken(int index);

    /** Nothing follows. */
    void onEnd(FinishReason reason);
}
