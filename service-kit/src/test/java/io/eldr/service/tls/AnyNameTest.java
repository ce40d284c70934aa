package io.eldr.service.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslStoreBundle;

/** A server whose certificate bears a name that nobody calls it by. */
class AnyNameTest {
    private static final String PASSWORD = "not-a-secret";

    @Test
    void trustsTheAuthoritysCertificateUnderAnAddressAndNobodyElses(@TempDir Path directory) throws Exception {
        SslBundle ours = bundle(directory, "ours");
        SslBundle theirs = bundle(directory, "theirs");
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(ours.createSslContext()));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            URI address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
            assertThat(status(AnyName.contextOf(ours), address)).isEqualTo(200);
            assertThatThrownBy(() -> status(AnyName.contextOf(theirs), address))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThatThrownBy(() -> status(ours.createSslContext(), address))
                    .isInstanceOf(SSLHandshakeException.class);
        } finally {
            server.stop(0);
        }
    }

    private static int status(SSLContext trust, URI address) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newBuilder().sslContext(trust).build()) {
            return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    /** A key with a certificate of its own, which is trusted too. */
    private static SslBundle bundle(Path directory, String name) throws Exception {
        Path file = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD,
                        "-storetype",
                        "PKCS12",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:eldr-router")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(name, store.getCertificate("mykey"));
        return SslBundle.of(SslStoreBundle.of(store, PASSWORD, trusted), SslBundleKey.of(PASSWORD));
    }
}
