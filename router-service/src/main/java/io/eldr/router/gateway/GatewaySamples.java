package io.eldr.router.gateway;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.engine.DecodedRows;
import io.eldr.router.engine.JsonMembers;
import io.eldr.router.engine.PromptSignature;
import io.eldr.router.sample.LiveSample;
import io.eldr.router.sample.SampleSink;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.scheduler.Schedulers;

/**
 * Makes samples of requests that came to their end: the experts of the prompt, and where the engine tells them in a whole
 * answer ({@code routed_experts}) those of what was decoded. Streams are not looked into.
 */
@Component
final class GatewaySamples {
    private static final Logger log = LoggerFactory.getLogger(GatewaySamples.class);
    /** What an answer may have beyond which it is not kept to be read. */
    private static final int MOST_BYTES = 16 << 20;

    private final SampleSink sink;

    GatewaySamples(SampleSink sink) {
        this.sink = sink;
    }

    /** Looks on at an answer, if its request is to become a sample. */
    Optional<Watch> watch(DecodeStep.Handover handover) {
        Job job = handover.job();
        return handover.state().signature() instanceof PromptSignature.Read(ExpertCounts prompt, String form)
                        && sink.wants(job.pool(), handover.id())
                ? Optional.of(new Watch(handover, prompt))
                : Optional.empty();
    }

    /** One answer, of which the client gets every byte all the same. */
    final class Watch {
        private final DecodeStep.Handover handover;
        private final ExpertCounts prompt;
        private final boolean whole;
        private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

        private Watch(DecodeStep.Handover handover, ExpertCounts prompt) {
            this.handover = handover;
            this.prompt = prompt;
            this.whole = !handover.job().request().stream();
        }

        /** Copies a piece of the answer without taking anything from it. */
        void see(ByteBuf piece) {
            if (whole && seen.size() <= MOST_BYTES) {
                byte[] bytes = new byte[piece.readableBytes()];
                piece.getBytes(piece.readerIndex(), bytes);
                seen.writeBytes(bytes);
            }
        }

        /** It came to its end. Reading megabytes of rows is not for the thread that serves others. */
        void completed() {
            if (whole) {
                Schedulers.boundedElastic().schedule(() -> offer(decoded()));
            } else {
                offer(Optional.empty());
            }
        }

        private void offer(Optional<ExpertCounts> decoded) {
            sink.offer(new LiveSample(handover.job().pool(), handover.id(), Optional.empty(), prompt, decoded));
        }

        private Optional<ExpertCounts> decoded() {
            if (seen.size() > MOST_BYTES) {
                return Optional.empty();
            }
            Geometry geometry = handover.job().pool().state().intent().model().geometry();
            try {
                return DecodedRows.read(JsonMembers.of("answer", seen.toByteArray()), geometry);
            } catch (InvalidInputException unfit) {
                log.info(
                        "An answer of pool {} says nothing usable of its experts: {}",
                        handover.job().pool().name(),
                        unfit.getMessage());
                return Optional.empty();
            }
        }
    }
}
