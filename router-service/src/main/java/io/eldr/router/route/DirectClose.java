package io.eldr.router.route;

import io.eldr.core.load.Outcome;
import io.eldr.core.load.ReservationId;
import io.eldr.router.direct.DirectAccess;
import io.eldr.router.direct.DirectAnswers;
import io.eldr.router.direct.DirectCall;
import io.eldr.service.access.Role;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The end of a reservation that is open here, as {@code POST /v1/reservations/{id}/close} or {@code DELETE
 * /v1/reservations/{id}}. All others, and those of other routers, are for what stands behind {@link ReservationController}.
 */
@Component
final class DirectClose implements DirectCall {
    private static final Pattern CLOSE = Pattern.compile("/v1/reservations/([^/?%;]+)/close");
    private static final Pattern DELETE = Pattern.compile("/v1/reservations/([^/?%;]+)(?:\\?outcome=([A-Za-z]+))?");
    private static final String PREFIX = "/v1/reservations/";

    private final ReservationService reservations;
    private final Closings closings;
    private final DirectAccess access;
    private final ObjectReader requests;

    DirectClose(ReservationService reservations, Closings closings, DirectAccess access, JsonMapper json) {
        this.reservations = reservations;
        this.closings = closings;
        this.access = access;
        this.requests = json.readerFor(CloseRequest.class);
    }

    @Override
    public boolean isMeant(HttpRequest head) {
        if (!head.uri().startsWith(PREFIX) || !access.has(Role.CLIENT, head.headers())) {
            return false;
        }
        if (head.method().equals(HttpMethod.DELETE)) {
            return true;
        }
        return head.method().equals(HttpMethod.POST)
                && head.headers().contains(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_JSON_VALUE, true);
    }

    @Override
    public Optional<FullHttpResponse> answer(HttpRequest head, byte[] body) {
        boolean deletes = head.method().equals(HttpMethod.DELETE);
        Matcher path = (deletes ? DELETE : CLOSE).matcher(head.uri());
        if (!path.matches()) {
            return Optional.empty();
        }
        Optional<ReservationId> open = ReservationId.parse(path.group(1))
                .filter(id -> reservations.find(id).isPresent());
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Optional<CloseRequest> request = deletes
                ? Optional.of(CloseRequest.of(
                        Outcome.of("outcome", Optional.ofNullable(path.group(2)).orElse(Outcome.COMPLETED.id()))))
                : Optional.ofNullable(requests.readValue(body));
        return request.map(how -> {
            closings.close(open, how);
            return DirectAnswers.nothing();
        });
    }
}
