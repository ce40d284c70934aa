package io.eldr.router.worker;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.Outcome;
import io.eldr.router.RouterProperties;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The breakers of all incarnations. A new incarnation has done nothing wrong yet: it starts closed. */
public final class Breakers {

    private static final Logger log = LoggerFactory.getLogger(Breakers.class);

    private final RouterProperties.Breaker settings;
    private final LoadLedger ledger;
    private final InstantSource clock;
    private final Map<Incarnation, Breaker> breakers = new ConcurrentHashMap<>();
    private volatile Runnable onChange = () -> {};

    public Breakers(RouterProperties.Breaker settings, LoadLedger ledger, InstantSource clock) {
        this.settings = settings;
        this.ledger = ledger;
        this.clock = clock;
    }

    /** Whom to call whenever an incarnation was ejected, put on trial or taken back; on the thread that saw it. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** What the breaker alone says: never {@link Standing#NOT_SEEN}. */
    public Standing standing(Incarnation incarnation) {
        Breaker breaker = breakers.get(incarnation);
        return breaker == null ? Standing.FIT : breaker.standing();
    }

    /** A request that was sent there at some time has ended. */
    public void ended(Incarnation incarnation, Outcome outcome, Instant openedAt) {
        Breaker breaker = outcome == Outcome.DECODER_FAILED
                ? breakers.computeIfAbsent(incarnation, this::closed)
                : breakers.get(incarnation);
        if (breaker != null && breaker.ended(outcome, openedAt, clock.instant())) {
            changed(incarnation, breaker);
        }
    }

    /** A request that was sent there at some time has ended without anybody saying how. */
    public void endedUnknown(Incarnation incarnation, Instant openedAt) {
        Breaker breaker = breakers.get(incarnation);
        if (breaker != null) {
            breaker.endedUnknown(openedAt);
        }
    }

    /** Puts on trial whose time is over. To be called several times a second. */
    public void tick() {
        Instant now = clock.instant();
        breakers.forEach((incarnation, breaker) -> {
            if (breaker.tick(now)) {
                changed(incarnation, breaker);
            }
        });
    }

    /** Forgets the others. */
    public void retainOnly(Set<Incarnation> live) {
        breakers.keySet().removeIf(incarnation -> {
            boolean gone = !live.contains(incarnation);
            if (gone) {
                ledger.admit(incarnation, OptionalInt.empty());
            }
            return gone;
        });
    }

    private Breaker closed(Incarnation incarnation) {
        return new Breaker(settings, reservations -> ledger.admit(incarnation, reservations));
    }

    private void changed(Incarnation incarnation, Breaker breaker) {
        switch (breaker.standing()) {
            case EJECTED -> log.warn("{} is ejected: its requests failed one after another", incarnation);
            case ON_TRIAL -> log.info("{} may try one request", incarnation);
            case FIT, NOT_SEEN -> log.info("{} is fit again", incarnation);
        }
        onChange.run();
    }
}
