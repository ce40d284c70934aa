package io.eldr.launcher.compare;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.LongSupplier;

/**
 * Times a streamed answer. Looks at nothing but where events end, so that it costs next to nothing and takes no part in what
 * it measures: an event is a token, except the last one, {@code data: [DONE]}.
 */
final class StreamMeter implements HttpResponse.BodySubscriber<StreamMeter.Timing> {
    private static final String END = "data: [DONE]\n\n";
    private static final double NANOS_PER_MILLI = 1e6;

    private final LongSupplier nanoTime;
    private final CompletableFuture<Timing> timing = new CompletableFuture<>();
    private final StringBuilder tail = new StringBuilder();
    private int events;
    private long firstAt;
    private long lastAt;
    private byte before;
    private boolean whole;

    /** @param nanoTime as {@link System#nanoTime()} */
    StreamMeter(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * What was seen of an answer.
     *
     * @param tokens how many came
     * @param whole whether it came to its end
     * @param tpotMillis the mean time of a token after the first one; not a number before there are two
     */
    record Timing(int tokens, boolean whole, double tpotMillis) {}

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        long now = nanoTime.getAsLong();
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining()) {
                take(buffer.get(), now);
            }
        }
    }

    private void take(byte next, long now) {
        tail.append((char) (next & 0xFF));
        if (next == '\n' && before == '\n') {
            boolean end = tail.length() == END.length() && END.contentEquals(tail);
            tail.setLength(0);
            whole = end;
            if (!end) {
                events++;
                firstAt = events == 1 ? now : firstAt;
                lastAt = now;
            }
        }
        before = next;
    }

    @Override
    public void onError(Throwable failure) {
        timing.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        double tpot = events > 1 ? (lastAt - firstAt) / NANOS_PER_MILLI / (events - 1) : Double.NaN;
        timing.complete(new Timing(events, whole, tpot));
    }

    @Override
    public CompletionStage<Timing> getBody() {
        return timing;
    }
}
