package io.eldr.router.route;

import io.eldr.router.direct.DirectAccess;
import io.eldr.router.direct.DirectAnswers;
import io.eldr.router.direct.DirectCall;
import io.eldr.router.tracing.RequestTrace;
import io.eldr.router.tracing.RequestTraces;
import io.eldr.service.access.Role;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.ErrorResponseException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** {@code POST /v1/route} as well-behaved clients send it; what {@link RouteController} does with it is done here. */
@Component
final class DirectRoute implements DirectCall {
    private static final String PATH = "/v1/route";
    private static final String RAW = MediaType.APPLICATION_OCTET_STREAM_VALUE;
    private static final Set<String> JSON = Set.of(
            MediaType.APPLICATION_JSON_VALUE, "application/json;charset=utf-8", "application/json; charset=utf-8");
    private static final int MOST_PARAMETERS = 64;

    private final RouteInput input;
    private final Routing routing;
    private final RequestTraces traces;
    private final DirectAccess access;
    private final ObjectReader requests;
    private final ObjectWriter answers;

    DirectRoute(RouteInput input, Routing routing, RequestTraces traces, DirectAccess access, JsonMapper json) {
        this.input = input;
        this.routing = routing;
        this.traces = traces;
        this.access = access;
        this.requests = json.readerFor(RouteRequest.class);
        this.answers = json.writerFor(RouteAnswer.class);
    }

    @Override
    public boolean isMeant(HttpRequest head) {
        return head.method().equals(HttpMethod.POST)
                && isPath(head.uri())
                && (isRaw(head) || JSON.contains(contentType(head)))
                && takesJson(head.headers())
                && access.has(Role.CLIENT, head.headers());
    }

    private static boolean isPath(String uri) {
        return uri.startsWith(PATH) && (uri.length() == PATH.length() || uri.charAt(PATH.length()) == '?');
    }

    private static boolean isRaw(HttpRequest head) {
        return RAW.equals(contentType(head));
    }

    private static String contentType(HttpRequest head) {
        return head.headers().get(HttpHeaderNames.CONTENT_TYPE, "").toLowerCase(Locale.ROOT);
    }

    private static boolean takesJson(HttpHeaders headers) {
        String accept = headers.get(HttpHeaderNames.ACCEPT);
        return accept == null || accept.contains("*/*") || accept.contains(MediaType.APPLICATION_JSON_VALUE);
    }

    @Override
    public Optional<FullHttpResponse> answer(HttpRequest head, byte[] body) {
        return command(head, body).map(command -> answer(command, head));
    }

    /** Empty where the input is to be refused. */
    private Optional<RouteCommand> command(HttpRequest head, byte[] body) {
        try {
            if (isRaw(head)) {
                return parameters(head.uri()).map(parameters -> input.of(parameters, body));
            }
            return Optional.<RouteRequest>ofNullable(requests.readValue(body)).map(input::of);
        } catch (RuntimeException refusal) {
            return Optional.empty();
        }
    }

    /** Empty where there is a character or a form that the framework's firewall has to judge. */
    private static Optional<MultiValueMap<String, String>> parameters(String uri) {
        QueryStringDecoder query = new QueryStringDecoder(uri, StandardCharsets.UTF_8, true, MOST_PARAMETERS, true);
        MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
        int count = 0;
        for (Map.Entry<String, List<String>> parameter : query.parameters().entrySet()) {
            for (String value : parameter.getValue()) {
                count++;
                if (value.isEmpty() || !isPrintable(parameter.getKey()) || !isPrintable(value)) {
                    return Optional.empty();
                }
            }
            parameters.put(parameter.getKey(), parameter.getValue());
        }
        return count < MOST_PARAMETERS ? Optional.of(parameters) : Optional.empty();
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
    }

    private FullHttpResponse answer(RouteCommand command, HttpRequest head) {
        RequestTrace trace = traces.begin(head.method().name(), PATH, head.headers());
        FullHttpResponse answer;
        try {
            answer = DirectAnswers.json(answers.writeValueAsBytes(routing.route(command, trace)));
        } catch (ErrorResponseException refusal) {
            answer = DirectAnswers.problem(refusal);
        }
        trace.end(OptionalInt.of(answer.status().code()), true);
        return answer;
    }
}
