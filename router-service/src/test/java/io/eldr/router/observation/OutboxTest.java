package io.eldr.router.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.drift.ObservationWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final ObservationWindow WINDOW =
            new ObservationWindow(2, 0, List.of(2L, 0L), List.of(1L, 1L), 1, 0, 1);

    private final Outbox box = new Outbox();

    @Test
    void isEmptyUntilSomethingIsAdded() {
        assertThat(box.current()).isEmpty();
        box.add(1, WINDOW);
        assertThat(box.current()).contains(new Outbox.Post(1, 1, WINDOW));
        box.done();
        assertThat(box.current()).isEmpty();
    }

    @Test
    void whatMayHaveArrivedIsRepeatedAsItWasAndTheRestIsMergedBehindIt() {
        box.add(1, WINDOW);
        Outbox.Post first = box.current().orElseThrow();
        box.add(1, WINDOW);
        box.add(1, WINDOW);
        assertThat(box.current()).contains(first);
        box.done();
        assertThat(box.current()).contains(new Outbox.Post(2, 1, WINDOW.plus(WINDOW)));
    }

    @Test
    void whatAnEarlierGenerationSawIsDroppedUnlessItIsUnderway() {
        box.add(1, WINDOW);
        Outbox.Post first = box.current().orElseThrow();
        box.add(1, WINDOW);
        box.add(2, WINDOW);
        assertThat(box.current()).contains(first);
        box.done();
        assertThat(box.current()).contains(new Outbox.Post(3, 2, WINDOW));
        box.done();
        assertThat(box.current()).isEmpty();
    }
}
