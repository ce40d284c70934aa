package io.eldr.engine.fault;

import io.eldr.engine.request.RequestRefusedException;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads an order: {@code {"fault": NAME, ..}} where NAME is {@code status} (with {@code status}), {@code hang}, {@code reset}
 * ({@code afterTokens}), {@code noParams}, {@code noSignature}, {@code brokenSignature}, each with {@code requests} (absent:
 * until cleared); {@code refuse} ({@code forMillis}), {@code crash} ({@code forMillis}, {@code slowStartMillis}),
 * {@code unready} ({@code forMillis}), {@code keepAlive} ({@code millis}), {@code expire}, or {@code clear}.
 */
public final class FaultReader {
    private static final int MAX_MILLIS = 3_600_000;

    private final JsonMapper json;

    public FaultReader(JsonMapper json) {
        this.json = json;
    }

    /** @throws RequestRefusedException naming the member at fault */
    public FaultCommand read(byte[] body) {
        JsonNode node;
        try {
            node = json.readTree(body);
        } catch (JacksonException e) {
            throw RequestRefusedException.badRequest("body", "the body is not JSON: " + e.getOriginalMessage());
        }
        String name = node.path("fault").asString("");
        return switch (name) {
            case "status" -> forRequests(node, new RequestFault.Status(number(node, "status", 500, 400, 599)));
            case "hang" -> forRequests(node, new RequestFault.Hang());
            case "reset" ->
                forRequests(node, new RequestFault.Reset(number(node, "afterTokens", 0, 0, Integer.MAX_VALUE)));
            case "noParams" -> forRequests(node, new RequestFault.NoParams());
            case "noSignature" -> forRequests(node, new RequestFault.NoSignature());
            case "brokenSignature" -> forRequests(node, new RequestFault.BrokenSignature());
            case "refuse" -> new FaultCommand.Refuse(millis(node, "forMillis", 1_000));
            case "crash" ->
                new FaultCommand.Crash(millis(node, "forMillis", 1_000), millis(node, "slowStartMillis", 0));
            case "unready" -> new FaultCommand.Unready(millis(node, "forMillis", 1_000));
            case "keepAlive" -> new FaultCommand.KeepAlive(millis(node, "millis", 1_000));
            case "expire" -> new FaultCommand.Expire();
            case "clear" -> new FaultCommand.Clear();
            default -> throw RequestRefusedException.badRequest("fault", "there is no fault '" + name + "'");
        };
    }

    private static FaultCommand forRequests(JsonNode node, RequestFault fault) {
        return new FaultCommand.ForRequests(fault, number(node, "requests", Integer.MAX_VALUE, 1, Integer.MAX_VALUE));
    }

    private static Duration millis(JsonNode node, String member, int otherwise) {
        return Duration.ofMillis(number(node, member, otherwise, 0, MAX_MILLIS));
    }

    private static int number(JsonNode node, String member, int otherwise, int min, int max) {
        JsonNode value = node.path(member);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isInt() || value.asInt() < min || value.asInt() > max) {
            throw RequestRefusedException.badRequest(
                    member, member + " must be a whole number from " + min + " to " + max + ", got " + value);
        }
        return value.asInt();
    }
}
