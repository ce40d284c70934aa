package io.eldr.launcher.traffic;

import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.client.ServiceOptions;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which service and pool a command talks to. */
final class TargetOptions {

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    @Option(names = "--pool", required = true, paramLabel = "POOL", description = "name of the pool")
    private String pool = "";

    String pool() {
        return pool;
    }

    /** @param home the root of the checkout */
    EldrClient client(Path home) throws IOException {
        HttpClient http =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        return service.client(http, home);
    }
}
