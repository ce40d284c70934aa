package io.eldr.router.gateway;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.RoutedExpertsForm;
import io.eldr.core.signature.RoutedRows;
import io.eldr.router.engine.JsonMembers;
import io.eldr.router.engine.PromptSignature;
import io.eldr.router.sample.LiveSample;
import io.eldr.router.sample.SampleSink;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.OptionalInt;
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
    private static final String ROWS = "routed_experts";
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
            Geometry geometry =
                    handover.job().pool().state().intent().model().geometry();
            try {
                return DecodedRows.of(JsonMembers.of("answer", seen.toByteArray()), geometry);
            } catch (InvalidInputException unfit) {
                log.info(
                        "An answer of pool {} has no usable {}: {}",
                        handover.job().pool().name(),
                        ROWS,
                        unfit.getMessage());
                return Optional.empty();
            }
        }
    }

    /** The rows of an answer that are not the prompt's. */
    static final class DecodedRows {
        private DecodedRows() {}

        /**
         * With c tokens in the answer, the last of which was never computed with, there are c - 1 rows of it behind those of
         * the prompt, or alone.
         *
         * @return empty where the answer has no rows, or only those of its prompt
         * @throws InvalidInputException if there are as many rows as make no sense
         */
        static Optional<ExpertCounts> of(JsonMembers answer, Geometry geometry) {
            Optional<String> text = answer.firstOf("choices").flatMap(choice -> choice.text(ROWS));
            if (text.isEmpty()) {
                return Optional.empty();
            }
            RoutedRows rows = RoutedExpertsForm.read(ROWS, text.get(), geometry);
            int prompt = usage(answer, "prompt_tokens");
            int decoded = usage(answer, "completion_tokens") - 1;
            if (decoded < 1 || rows.tokens() == prompt) {
                return Optional.empty();
            }
            if (rows.tokens() == prompt + decoded) {
                return Optional.of(rows.counts(prompt, prompt + decoded));
            }
            if (rows.tokens() == decoded) {
                return Optional.of(rows.counts(0, decoded));
            }
            throw new InvalidInputException(
                    ROWS,
                    "has rows of " + rows.tokens() + " tokens, where the prompt has " + prompt + " and the answer "
                            + (decoded + 1));
        }

        private static int usage(JsonMembers answer, String name) {
            OptionalInt tokens =
                    answer.object("usage").map(usage -> usage.integer(name)).orElse(OptionalInt.empty());
            return tokens.orElseThrow(() -> new InvalidInputException("usage." + name, "is missing"));
        }
    }
}
