package io.eldr.router.replica;

import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.timeout.ReadTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.util.retry.Retry;

/** Sends a request on to another router. */
final class Forwarder implements AutoCloseable {

    private static final int CONNECTIONS = 256;
    private static final int MOST_ANSWER_BYTES = 8 << 20;

    /** Below the idle timeout of a router's server, so that the server is seldom the one that closes. */
    private static final Duration IDLE = Duration.ofSeconds(20);

    private final ConnectionProvider connections;
    private final WebClient client;

    /**
     * @param timeout how long the other router may take, to connect and to answer each
     * @param trust whose authorities the certificates of routers with https must be from, whatever names they bear
     */
    Forwarder(LoopResources loops, Duration timeout, Optional<SslBundle> trust) {
        connections = ConnectionProvider.builder("forwarding")
                .maxConnections(CONNECTIONS)
                .pendingAcquireMaxCount(-1)
                .maxIdleTime(IDLE)
                .build();
        HttpClient http = HttpClient.create(connections)
                .runOn(loops)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout.toMillis())
                .responseTimeout(timeout);
        client = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        trust.map(bundle -> trusting(http, bundle)).orElse(http)))
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(MOST_ANSWER_BYTES))
                .build();
    }

    private static HttpClient trusting(HttpClient http, SslBundle bundle) {
        try {
            SslContext context = SslContextBuilder.forClient()
                    .trustManager(bundle.getManagers().getTrustManagerFactory())
                    // Routers are reached by address, which no certificate bears.
                    .endpointIdentificationAlgorithm(null)
                    .build();
            return http.secure(secure -> secure.sslContext(context).handlerConfigurator(handler -> {
                SSLParameters parameters = handler.engine().getSSLParameters();
                // Empty, as null would leave it as it is.
                parameters.setEndpointIdentificationAlgorithm("");
                handler.engine().setSSLParameters(parameters);
            }));
        } catch (SSLException e) {
            throw new IllegalStateException("eldr.router.replicas.ssl-bundle cannot be used: " + e.getMessage(), e);
        }
    }

    /** The other router's answer, whatever its status; an error if there is none. */
    Mono<ResponseEntity<byte[]>> send(HttpMethod method, URI target, HttpHeaders headers, byte[] body) {
        WebClient.RequestBodySpec request = client.method(method).uri(target).headers(all -> all.putAll(headers));
        return (body.length == 0 ? request : request.bodyValue(body))
                .exchangeToMono(answer -> answer.toEntity(byte[].class))
                // A connection that was idle may be closed at the other end; what is forwarded may be said twice.
                .retryWhen(Retry.max(1).filter(Forwarder::wasCut));
    }

    @Override
    public void close() {
        connections.dispose();
    }

    private static boolean wasCut(Throwable failure) {
        return failure instanceof WebClientRequestException && !(failure.getCause() instanceof ReadTimeoutException);
    }
}
