package io.eldr.calibration.job;

import io.eldr.core.signature.InvalidInputException;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * One attempt of a piece of work. Whatever the work itself cannot do ends it as failed with the reason; a registry that is
 * away, or a process that ends, leaves it to be started again.
 */
public final class JobAttempt {
    private static final Logger log = LoggerFactory.getLogger(JobAttempt.class);

    private JobAttempt() {}

    /**
     * @param name of the piece, such as {@code refit 7}
     * @param fail ends it with a reason
     * @param tooLittleMemory the reason where memory did not suffice
     */
    public static void run(String name, JobStop stop, Runnable work, Consumer<String> fail, String tooLittleMemory) {
        try {
            work.run();
        } catch (CancellationException over) {
            // The end of this process interrupts work; that must not keep it from being handed over.
            if (Thread.interrupted()) {
                stop.check();
            }
            log.info("The {} was left: {}", name, over.getMessage());
        } catch (TransactionException | JobStop.JobStoppedException later) {
            log.warn("The {} will be started again: {}", name, later.toString());
            throw later;
        } catch (InvalidInputException refused) {
            log.info("The {} failed: {}", name, refused.getMessage());
            fail.accept(String.valueOf(refused.getMessage()));
        } catch (OutOfMemoryError tooMuch) {
            log.error("The {} ran out of memory", name, tooMuch);
            fail.accept(tooLittleMemory);
        } catch (RuntimeException bug) {
            if (bug instanceof DataAccessException && RegistryFailures.mayPass(bug)) {
                log.warn("The {} will be started again: {}", name, bug.toString());
                throw bug;
            }
            log.error("The {} failed", name, bug);
            fail.accept("the service failed: " + bug);
        }
    }
}
