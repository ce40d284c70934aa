package io.eldr.admin.upstream;

import java.net.URI;

/**
 * Where a router is.
 *
 * @param instance its name in our paths
 */
public record RouterAddress(String instance, URI url) {}
