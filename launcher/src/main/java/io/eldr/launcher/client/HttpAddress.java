package io.eldr.launcher.client;

import io.eldr.launcher.console.UsageException;
import java.net.URI;

/** Reads the addresses of services and engines. */
public final class HttpAddress {

    private HttpAddress() {}

    /**
     * @param option what the message names
     * @throws UsageException if the text is no http or https address
     */
    public static URI parse(String option, String text) {
        try {
            URI address = URI.create(text);
            if (("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                    && address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // Refused below, like any other text that is no address.
        }
        throw new UsageException(option + " must be an http or https address but is '" + text + "'");
    }
}
