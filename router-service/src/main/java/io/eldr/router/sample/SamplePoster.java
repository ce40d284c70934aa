package io.eldr.router.sample;

import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.SampleBatchForm;
import io.eldr.router.calibration.CalibrationClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Posts samples in batches. One that may or may not have arrived is posted again: what is there already counts as a
 * duplicate. While the calibration service does not answer, the queue fills up and the newest are dropped.
 */
final class SamplePoster {
    private static final int MAX_BATCH = 256;

    private final SampleQueue queue;
    private final CalibrationClient calibration;
    private final SampleMeters meters;
    private final Queue<Batch> unsent = new ArrayDeque<>();

    SamplePoster(SampleQueue queue, CalibrationClient calibration, SampleMeters meters) {
        this.queue = queue;
        this.calibration = calibration;
        this.meters = meters;
    }

    private record Batch(String pool, List<RequestSample> samples) {}

    /** Posts what there is. Called by one thread at a time. */
    void post() throws InterruptedException {
        while (refill()) {
            Batch batch = unsent.element();
            CalibrationClient.Answer answer = calibration.post(
                    "/v1/pools/" + batch.pool() + "/samples",
                    SampleBatchForm.MEDIA_TYPE,
                    SampleBatchForm.write(batch.samples()));
            switch (answer) {
                case CalibrationClient.Taken _ -> done(SampleMeters.Fate.TAKEN);
                case CalibrationClient.Refused _ -> done(SampleMeters.Fate.REFUSED);
                case CalibrationClient.Failed _ -> {
                    return;
                }
            }
        }
    }

    private void done(SampleMeters.Fate fate) {
        meters.count(fate, unsent.remove().samples().size());
    }

    /** @return whether there is a batch to post */
    private boolean refill() {
        if (unsent.isEmpty()) {
            batches(queue.take(MAX_BATCH)).forEach(unsent::add);
        }
        return !unsent.isEmpty();
    }

    /** A batch holds samples of one pool and one shape, and none twice. */
    private static List<Batch> batches(List<SampleQueue.Waiting> taken) {
        record Kind(String pool, int layers, int experts) {}
        Map<Kind, Map<String, RequestSample>> byKind = new LinkedHashMap<>();
        for (SampleQueue.Waiting waiting : taken) {
            RequestSample sample = waiting.sample();
            Kind kind = new Kind(
                    waiting.pool(), sample.prefill().layers(), sample.prefill().experts());
            byKind.computeIfAbsent(kind, _ -> new LinkedHashMap<>()).putIfAbsent(sample.id(), sample);
        }
        List<Batch> batches = new ArrayList<>();
        byKind.forEach((kind, samples) -> batches.add(new Batch(kind.pool(), List.copyOf(samples.values()))));
        return batches;
    }
}
