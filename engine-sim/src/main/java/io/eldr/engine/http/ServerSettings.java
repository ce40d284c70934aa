package io.eldr.engine.http;

import io.eldr.engine.request.RequestLimits;
import java.time.Duration;

/**
 * How a worker is reached.
 *
 * @param host the address to listen on
 * @param port 0 for any
 * @param keepAlive after how long an idle connection is closed; uvicorn's is 5 s
 * @param limits what it serves
 * @param signature in which form prefill answers tell the experts
 */
public record ServerSettings(String host, int port, Duration keepAlive, RequestLimits limits, SignatureForm signature) {

    public ServerSettings withPort(int other) {
        return new ServerSettings(host, other, keepAlive, limits, signature);
    }

    public ServerSettings withKeepAlive(Duration other) {
        return new ServerSettings(host, port, other, limits, signature);
    }
}
