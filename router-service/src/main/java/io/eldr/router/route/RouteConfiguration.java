package io.eldr.router.route;

import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationListener;
import io.eldr.core.load.Reservations;
import io.eldr.router.PeriodicTask;
import io.eldr.router.RouterProperties;
import io.eldr.router.telemetry.RouterMetrics;
import io.eldr.router.worker.Breakers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The reservations of this router and what ends those that nobody closes. */
@Configuration(proxyBeanMethods = false)
class RouteConfiguration {

    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(250);

    @Bean
    Reservations<DecisionRecord> reservations(
            RouterProperties properties,
            LoadLedger ledger,
            InstantSource clock,
            RouterMetrics metrics,
            Breakers breakers,
            OpenPrompts prompts,
            RandomGenerator random) {
        return new Reservations<>(
                properties.instanceId(),
                random.nextLong(),
                ledger,
                clock,
                telling(metrics, breakers, prompts),
                Reservations.DEFAULT_REMEMBERED);
    }

    /** Ends reservations whose lease has ended. */
    @Bean
    PeriodicTask reservationSweeper(
            Reservations<DecisionRecord> reservations, InstantSource clock, RandomGenerator random) {
        return PeriodicTask.every(
                "reservation-sweeper", SWEEP_INTERVAL, random, () -> reservations.expire(clock.instant()));
    }

    private static ReservationListener<DecisionRecord> telling(
            RouterMetrics metrics, Breakers breakers, OpenPrompts prompts) {
        return new ReservationListener<>() {
            @Override
            public void closed(Reservation<DecisionRecord> reservation, Outcome outcome) {
                prompts.forget(reservation.id());
                metrics.closed(reservation.pool(), outcome);
                breakers.ended(reservation.incarnation(), outcome, reservation.openedAt());
            }

            @Override
            public void expired(Reservation<DecisionRecord> reservation) {
                prompts.forget(reservation.id());
                metrics.expired(reservation.pool());
                breakers.endedUnknown(reservation.incarnation(), reservation.openedAt());
            }

            @Override
            public void moved(Reservation<DecisionRecord> before, Reservation<DecisionRecord> after) {
                metrics.moved(before.pool());
                breakers.ended(before.incarnation(), Outcome.DECODER_FAILED, before.openedAt());
            }
        };
    }
}
