package io.eldr.admin.upstream;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.security.AdminUser;
import io.eldr.service.access.Caller;
import io.eldr.service.tls.AnyName;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Calls other services with this service's own token. Every failure is an {@link UpstreamException} with its reason. */
@Component
public class Upstream {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpClient http;
    private final String bearer;
    private final AdminProperties.Calls settings;
    private final JsonMapper json;

    Upstream(AdminProperties properties, JsonMapper json, SslBundles bundles) {
        this.settings = properties.calls();
        this.bearer = "Bearer " + properties.token();
        this.json = json;
        HttpClient.Builder client = HttpClient.newBuilder()
                .connectTimeout(settings.connectTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1);
        Optional.ofNullable(settings.sslBundle())
                .map(name -> AnyName.contextOf(bundles.getBundle(name)))
                .ifPresent(client::sslContext);
        this.http = client.build();
    }

    /** A call on behalf of a user, whom the service writes into its audit log and whose role it asks for. */
    public HttpRequest.Builder callFor(AdminUser user, URI uri) {
        return call(uri)
                .timeout(settings.timeout())
                .header(Caller.ACTING_USER_HEADER, user.name())
                .header(Caller.ACTING_ROLE_HEADER, user.roleName());
    }

    private HttpRequest.Builder call(URI uri) {
        return HttpRequest.newBuilder(uri).header("Authorization", bearer);
    }

    /** The answer as it comes; whoever takes it closes the body. */
    public HttpResponse<InputStream> send(HttpRequest request) {
        return send(request, BodyHandlers.ofInputStream());
    }

    /** What a GET answers with status 200, read as JSON. */
    public <T> T read(URI uri, Class<T> type, Duration timeout) {
        return find(uri, type, timeout)
                .orElseThrow(() -> new UpstreamException("answered " + NOT_FOUND + " to GET " + uri.getPath()));
    }

    /** The same; empty where the answer is 404. */
    public <T> Optional<T> find(URI uri, Class<T> type, Duration timeout) {
        HttpResponse<byte[]> answer = send(
                call(uri)
                        .timeout(timeout)
                        .header("Accept", "application/json")
                        .GET()
                        .build(),
                BodyHandlers.ofByteArray());
        if (answer.statusCode() == NOT_FOUND) {
            return Optional.empty();
        }
        if (answer.statusCode() != OK) {
            throw new UpstreamException("answered " + answer.statusCode() + " to GET " + uri.getPath());
        }
        try {
            return Optional.of(json.readValue(answer.body(), type));
        } catch (JacksonException e) {
            throw new UpstreamException("answered GET " + uri.getPath() + " with what cannot be read", e);
        }
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UpstreamException("was not waited for", e);
        } catch (HttpConnectTimeoutException | ConnectException e) {
            throw new UpstreamException("cannot be reached at " + address(request.uri()), e);
        } catch (HttpTimeoutException e) {
            throw new UpstreamException("did not answer in time", e);
        } catch (IOException e) {
            throw new UpstreamException("broke the connection off", e);
        }
    }

    private static String address(URI uri) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }
}
