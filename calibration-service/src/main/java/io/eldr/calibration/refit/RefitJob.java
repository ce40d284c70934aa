package io.eldr.calibration.refit;

import io.eldr.calibration.refit.RefitLifecycle.Attempt;
import io.eldr.calibration.refit.RefitLifecycle.Turn;
import io.eldr.core.signature.InvalidInputException;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Runs a refit from its turn to its end. Whatever the fit itself cannot do ends the run as FAILED with the reason; a registry
 * that is away, or a process that ends, leaves it to be started again.
 */
@Component
class RefitJob {
    private static final Logger log = LoggerFactory.getLogger(RefitJob.class);

    /** What the scheduler has to know. */
    enum Ending {
        OVER,
        NOT_ITS_TURN
    }

    private final RefitLifecycle lifecycle;
    private final RefitStop stop;
    private final RefitWork work;

    RefitJob(RefitLifecycle lifecycle, RefitStop stop, RefitWork work) {
        this.lifecycle = lifecycle;
        this.stop = stop;
        this.work = work;
    }

    Ending run(long id) {
        return switch (lifecycle.begin(id)) {
            case Turn.Over() -> Ending.OVER;
            case Turn.NotYet() -> Ending.NOT_ITS_TURN;
            case Turn.Begun(Attempt attempt) -> {
                log.info("Refit {} begins, attempt {}", attempt.run(), attempt.number());
                attempt(attempt);
                yield Ending.OVER;
            }
        };
    }

    private void attempt(Attempt attempt) {
        try {
            work.run(attempt);
        } catch (CancellationException over) {
            // The end of this process interrupts fits; that must not keep them from being handed over.
            if (Thread.interrupted()) {
                stop.check();
            }
            log.info("Refit {} was left: {}", attempt.run(), over.getMessage());
        } catch (TransactionException | RefitStop.RefitStoppedException later) {
            log.warn("Refit {} will be started again: {}", attempt.run(), later.toString());
            throw later;
        } catch (InvalidInputException refused) {
            log.info("Refit {} failed: {}", attempt.run(), refused.getMessage());
            lifecycle.fail(attempt, String.valueOf(refused.getMessage()));
        } catch (OutOfMemoryError tooMuch) {
            log.error("Refit {} ran out of memory", attempt.run(), tooMuch);
            lifecycle.fail(
                    attempt,
                    "not enough memory for the samples: lower eldr.calibration.refit.max-samples or give more");
        } catch (RuntimeException bug) {
            if (bug instanceof DataAccessException && RegistryFailures.mayPass(bug)) {
                log.warn("Refit {} will be started again: {}", attempt.run(), bug.toString());
                throw bug;
            }
            log.error("Refit {} failed", attempt.run(), bug);
            lifecycle.fail(attempt, "the service failed: " + bug);
        }
    }
}
