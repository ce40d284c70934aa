package io.eldr.launcher.traffic;

import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.client.TokenSource;
import io.eldr.launcher.console.UsageException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** The options that say which service and pool a command talks to. */
final class TargetOptions {

    @Option(
            names = "--url",
            required = true,
            paramLabel = "URL",
            description = "address of the service, for example http://127.0.0.1:8080")
    private String url = "";

    @Option(names = "--pool", required = true, paramLabel = "POOL", description = "name of the pool")
    private String pool = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "bearer token (default: ELDR_TOKEN, else the file 'token' that ./eldr up wrote)")
    private @Nullable String token;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "data folder of ./eldr up, where 'token' lies (default: .eldr/data in the checkout)")
    private @Nullable Path data;

    String pool() {
        return pool;
    }

    /** @param home the root of the checkout */
    EldrClient client(Path home) throws IOException {
        Path folder = data == null ? home.resolve(".eldr").resolve("data") : data;
        TokenSource tokens = new TokenSource(System.getenv(), folder.resolve("token"));
        HttpClient http =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        return new EldrClient(http, JsonMapper.shared(), address(), tokens.token(Optional.ofNullable(token)));
    }

    private URI address() {
        try {
            URI address = URI.create(url);
            if (("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                    && address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // Refused below, like any other text that is no address.
        }
        throw new UsageException("--url must be an http or https address but is '" + url + "'");
    }
}
