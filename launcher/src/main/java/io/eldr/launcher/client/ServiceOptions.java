package io.eldr.launcher.client;

import io.eldr.launcher.console.UsageException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** The options that say which service a command talks to, and as whom. */
public final class ServiceOptions {

    @Option(
            names = "--url",
            required = true,
            paramLabel = "URL",
            description = "address of the service, for example http://127.0.0.1:8080")
    private String url = "";

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

    /** @param home the root of the checkout */
    public EldrClient client(HttpClient http, Path home) throws IOException {
        Path folder = data == null ? home.resolve(".eldr").resolve("data") : data;
        TokenSource tokens = new TokenSource(System.getenv(), folder.resolve("token"));
        return new EldrClient(http, JsonMapper.shared(), address(), tokens.token(Optional.ofNullable(token)));
    }

    /** @throws UsageException if it is none */
    public URI address() {
        return HttpAddress.parse("--url", url);
    }
}
