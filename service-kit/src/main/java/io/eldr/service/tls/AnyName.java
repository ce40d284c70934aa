package io.eldr.service.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.springframework.boot.ssl.SslBundle;

/**
 * Trust in whoever has a certificate of a bundle's authorities, whatever name it bears. Routers are reached by their address,
 * which no certificate bears; who shares the authority is one of us.
 */
public final class AnyName extends X509ExtendedTrustManager {
    private final X509TrustManager authorities;

    private AnyName(X509TrustManager authorities) {
        this.authorities = authorities;
    }

    /** For clients of other services of ours, and of nobody else. */
    public static SSLContext contextOf(SslBundle bundle) {
        TrustManager[] trust = Arrays.stream(bundle.getManagers().getTrustManagers())
                .map(manager -> manager instanceof X509TrustManager x509 ? new AnyName(x509) : manager)
                .toArray(TrustManager[]::new);
        try {
            SSLContext context = SSLContext.getInstance(bundle.getProtocol());
            context.init(null, trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the SSL bundle cannot be used: " + e.getMessage(), e);
        }
    }

    /** Without the engine or socket, whose name it would be compared with. */
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        authorities.checkServerTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        authorities.checkServerTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        authorities.checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        authorities.checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        authorities.checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        authorities.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }
}
