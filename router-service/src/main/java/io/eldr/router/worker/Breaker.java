package io.eldr.router.worker;

import io.eldr.core.load.Outcome;
import io.eldr.router.RouterProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Keeps traffic from one incarnation that keeps failing.
 *
 * <ul>
 *   <li>closed: any number of requests; so many failures in a row open it.
 *   <li>open: no requests, for a time that doubles with each opening in a row.
 *   <li>half-open: one request. If it completes, the breaker closes; if it fails, it opens again; if it ends in a way that
 *       says nothing of the decoder, another one may try.
 * </ul>
 *
 * <p>Only {@link Outcome#DECODER_FAILED} is a failure, and only {@link Outcome#COMPLETED} a success: that clients send what
 * an engine must refuse, leave or time out is no fault of the decoder. Requests that were sent there before the trial began
 * do not decide it.
 */
final class Breaker {
    private sealed interface State {}

    private record Closed(int failures) implements State {}

    private record Open(Instant until) implements State {}

    private record HalfOpen() implements State {}

    private final RouterProperties.Breaker settings;
    private final Consumer<OptionalInt> admit;
    private volatile State state = new Closed(0);
    private Instant countsFrom = Instant.MIN;
    private int openings;

    /** @param admit says how many more requests may go there; empty for any number */
    Breaker(RouterProperties.Breaker settings, Consumer<OptionalInt> admit) {
        this.settings = settings;
        this.admit = admit;
    }

    Standing standing() {
        return switch (state) {
            case Closed _ -> Standing.FIT;
            case HalfOpen _ -> Standing.ON_TRIAL;
            case Open _ -> Standing.EJECTED;
        };
    }

    /**
     * A request there ended.
     *
     * @return whether the standing changed
     */
    boolean ended(Outcome outcome, Instant openedAt, Instant now) {
        boolean ofNote = outcome == Outcome.DECODER_FAILED || !(state instanceof Closed(int failures) && failures == 0);
        return ofNote && count(outcome, openedAt, now);
    }

    private synchronized boolean count(Outcome outcome, Instant openedAt, Instant now) {
        if (openedAt.isBefore(countsFrom)) {
            return false;
        }
        return switch (state) {
            case Closed(int failures) ->
                switch (outcome) {
                    case DECODER_FAILED -> failed(failures + 1, now);
                    case COMPLETED -> {
                        state = new Closed(0);
                        yield false;
                    }
                    case ABORTED, CLIENT_ERROR, TIMEOUT -> false;
                };
            case HalfOpen _ ->
                switch (outcome) {
                    case DECODER_FAILED -> open(now);
                    case COMPLETED -> close();
                    case ABORTED, CLIENT_ERROR, TIMEOUT -> tryAgain();
                };
            case Open _ -> false;
        };
    }

    /** A request there ended, and nobody says how. */
    synchronized void endedUnknown(Instant openedAt) {
        if (state instanceof HalfOpen && !openedAt.isBefore(countsFrom)) {
            tryAgain();
        }
    }

    /**
     * Lets one request try once the time is over.
     *
     * @return whether the standing changed
     */
    synchronized boolean tick(Instant now) {
        if (!(state instanceof Open(Instant until)) || now.isBefore(until)) {
            return false;
        }
        state = new HalfOpen();
        countsFrom = now;
        admit.accept(OptionalInt.of(1));
        return true;
    }

    private boolean failed(int failures, Instant now) {
        if (failures >= settings.failures()) {
            return open(now);
        }
        state = new Closed(failures);
        return false;
    }

    private boolean open(Instant now) {
        state = new Open(now.plus(pause()));
        openings++;
        admit.accept(OptionalInt.of(0));
        return true;
    }

    private boolean close() {
        state = new Closed(0);
        openings = 0;
        admit.accept(OptionalInt.empty());
        return true;
    }

    private boolean tryAgain() {
        admit.accept(OptionalInt.of(1));
        return false;
    }

    private Duration pause() {
        Duration pause = settings.openFor();
        for (int i = 0; i < openings && pause.compareTo(settings.longest()) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(settings.longest()) < 0 ? pause : settings.longest();
    }
}
