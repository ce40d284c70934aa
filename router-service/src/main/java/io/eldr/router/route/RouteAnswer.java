package io.eldr.router.route;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.eldr.core.load.Reservation;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.Decoder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What was decided for a request. Fields that do not apply are absent. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "Where to decode, and why there. Fields that do not apply are absent.")
record RouteAnswer(
        String requestId,
        String pool,
        DecoderRef decoder,

        @Schema(description = "Where to go if it fails, best first")
        List<DecoderRef> fallbacks,

        @Schema(
                description = "The cluster that stands for the decoder",
                types = {"integer"})
        OptionalInt cluster,

        @Schema(
                description = "Cosine similarity of the request to that cluster",
                types = {"number"})
        OptionalDouble similarity,

        Optional<BandAnswer> band,
        String policy,

        @Schema(
                allowableValues = {
                    "nearest",
                    "band",
                    "min-candidates",
                    "widened",
                    "borrowed-centroid",
                    "no-signature",
                    "incompatible-signature",
                    "no-artifact",
                    "no-labels",
                    "random",
                    "round-robin",
                    "jsq",
                    "p2c",
                    "union",
                    "domain"
                })
        String reason,

        @Schema(
                types = {"integer"},
                format = "int64")
        OptionalLong artifactVersion,

        @Schema(description = "The pool's activation generation; 0 where nothing was activated")
        long generation,

        @Schema(description = "Whether the pool runs on less than it should, such as no artifact")
        boolean degraded,

        Optional<ReservationRef> reservation) {

    /** A decoder and where it listens. */
    @Schema(name = "Decoder")
    record DecoderRef(String id, String url) {
        static DecoderRef of(Decoder decoder) {
            return new DecoderRef(decoder.id(), decoder.url());
        }
    }

    /** The decoders among which the least loaded was chosen. */
    @Schema(name = "Band")
    record BandAnswer(double tau, List<MemberAnswer> members) {}

    /** One of them. */
    @Schema(name = "BandMember")
    record MemberAnswer(String id, double similarity, double load) {}

    /** What holds the load. */
    @Schema(name = "Reservation")
    record ReservationRef(String id, Instant expiresAt) {}

    static RouteAnswer of(Reservation<DecisionRecord> held) {
        return of(held.requestId(), held.decision().chosen(), Optional.of(held));
    }

    static RouteAnswer of(String requestId, Decision.Chosen chosen, Optional<? extends Reservation<?>> reservation) {
        return new RouteAnswer(
                requestId,
                chosen.version().pool(),
                DecoderRef.of(chosen.decoder()),
                chosen.fallbacks().stream().map(DecoderRef::of).toList(),
                chosen.cluster(),
                chosen.similarity(),
                chosen.band()
                        .map(band -> new BandAnswer(
                                band.tau(),
                                band.members().stream()
                                        .map(member -> new MemberAnswer(
                                                member.decoder().id(), member.similarity(), member.load()))
                                        .toList())),
                chosen.policy().id(),
                chosen.reason().id(),
                chosen.version().artifactVersion(),
                chosen.version().generation(),
                chosen.version().degraded(),
                reservation.map(held -> new ReservationRef(held.id().toString(), held.expiresAt())));
    }
}
