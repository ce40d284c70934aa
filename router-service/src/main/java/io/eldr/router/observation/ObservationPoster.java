package io.eldr.router.observation;

import io.eldr.router.calibration.CalibrationClient;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Posts what was observed to the calibration service. While that does not answer, nothing is lost but what belongs to
 * generations past, and nothing piles up.
 */
final class ObservationPoster {
    private final Observations observations;
    private final Pools pools;
    private final CalibrationClient calibration;
    private final String router;
    private final Map<String, Outbox> boxes = new TreeMap<>();

    /** @param router names this run of the router */
    ObservationPoster(Observations observations, Pools pools, CalibrationClient calibration, String router) {
        this.observations = observations;
        this.pools = pools;
        this.calibration = calibration;
        this.router = router;
    }

    /** Posts what there is. Called by one thread at a time. */
    void post() throws InterruptedException {
        Set<String> served = new TreeSet<>();
        for (Pool pool : pools.all()) {
            served.add(pool.name());
        }
        boxes.keySet().retainAll(served);
        for (Observations.Taken taken : observations.take(served)) {
            boxes.computeIfAbsent(taken.pool(), name -> new Outbox()).add(taken.generation(), taken.window());
        }
        for (Map.Entry<String, Outbox> box : boxes.entrySet()) {
            empty(box.getKey(), box.getValue());
        }
    }

    private void empty(String pool, Outbox box) throws InterruptedException {
        for (var post = box.current(); post.isPresent(); post = box.current()) {
            CalibrationClient.Answer answer =
                    calibration.post("/v1/pools/" + pool + "/observations", ObservationBody.of(router, post.get()));
            switch (answer) {
                case CalibrationClient.Taken _, CalibrationClient.Refused _ -> box.done();
                case CalibrationClient.Failed _ -> {
                    return;
                }
            }
        }
    }
}
