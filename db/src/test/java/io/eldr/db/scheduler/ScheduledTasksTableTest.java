package io.eldr.db.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The library itself finds in the schema what it needs. */
class ScheduledTasksTableTest {
    @Test
    void runsATaskOnTheMigratedSchema() throws InterruptedException, ExecutionException, TimeoutException {
        try (TestDatabase database = TestPostgres.freshDatabase()) {
            CompletableFuture<String> ran = new CompletableFuture<>();
            OneTimeTask<String> task = Tasks.oneTime("refit", String.class)
                    .execute((instance, context) -> ran.complete(instance.getId() + " " + instance.getData()));
            Scheduler scheduler = Scheduler.create(database.dataSource(), task)
                    .threads(1)
                    .enablePriority()
                    .pollUsingLockAndFetch(0.5, 1.0)
                    .pollingInterval(Duration.ofMillis(50))
                    .build();
            scheduler.start();
            try {
                scheduler.schedule(
                        task.instanceBuilder("42").data("demo").priority(3).build(), Instant.now());
                assertThat(ran.get(60, TimeUnit.SECONDS)).isEqualTo("42 demo");
            } finally {
                scheduler.stop();
            }
        }
    }
}
