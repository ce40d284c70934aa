package io.eldr.admin.passage;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.security.AdminUser;
import io.eldr.admin.upstream.Addresses;
import io.eldr.admin.upstream.Upstream;
import io.eldr.service.access.Role;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/** Passes a call on and the answer back, byte for byte as it comes, so that a stream of events is one here too. */
@Component
public final class Passage {
    private static final List<String> THERE =
            List.of(HttpHeaders.ACCEPT, HttpHeaders.CONTENT_TYPE, HttpHeaders.IF_NONE_MATCH, "Last-Event-ID");

    private static final List<String> BACK = List.of(
            HttpHeaders.CONTENT_TYPE,
            HttpHeaders.CONTENT_DISPOSITION,
            HttpHeaders.ETAG,
            HttpHeaders.LOCATION,
            HttpHeaders.RETRY_AFTER);

    private static final int CHUNK = 8_192;

    private final Upstream upstream;
    private final long maxBody;

    Passage(Upstream upstream, AdminProperties properties) {
        this.upstream = upstream;
        this.maxBody = properties.calls().maxBody().toBytes();
    }

    /**
     * @param service where to
     * @param prefix what of our own path stands before the service's
     */
    void pass(
            Rules rules,
            URI service,
            String prefix,
            AdminUser user,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        HttpMethod method = HttpMethod.valueOf(request.getMethod());
        String path = request.getRequestURI().substring(request.getContextPath().length() + prefix.length());
        Role needed = rules.needed(method, path)
                .orElseThrow(() -> Problems.exception(
                        ProblemType.NOT_FOUND, "The dashboard does not pass on " + method + " " + path + "."));
        if (!user.has(needed)) {
            throw Problems.exception(
                    ProblemType.FORBIDDEN,
                    "This needs the role " + needed.name().toLowerCase(Locale.ROOT) + "; yours is " + user.roleName()
                            + ".");
        }
        String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
        HttpRequest.Builder call = upstream.callFor(user, Addresses.at(service, path + query));
        THERE.forEach(
                name -> Optional.ofNullable(request.getHeader(name)).ifPresent(value -> call.header(name, value)));
        copy(upstream.send(call.method(method.name(), body(request)).build()), prefix, request, response);
    }

    /** Passes a GET to a path of a service that is not the caller's, and its answer back. */
    public void get(URI target, AdminUser user, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpRequest call = upstream.callFor(user, target)
                .header(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON_VALUE)
                .GET()
                .build();
        copy(upstream.send(call), "", request, response);
    }

    /** Read whole before it goes on: a call that breaks off here never begins there. */
    private BodyPublisher body(HttpServletRequest request) throws IOException {
        if (request.getContentLengthLong() > maxBody) {
            throw tooLarge();
        }
        byte[] body = request.getInputStream().readNBytes((int) Math.min(maxBody + 1, Integer.MAX_VALUE - 8));
        if (body.length > maxBody) {
            throw tooLarge();
        }
        return body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
    }

    private RuntimeException tooLarge() {
        return Problems.exception(
                ProblemType.TOO_LARGE,
                "The body is larger than " + maxBody + " bytes, which is the most that is passed on.");
    }

    private static void copy(
            HttpResponse<InputStream> answer, String prefix, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try (InputStream body = answer.body()) {
            response.setStatus(answer.statusCode());
            BACK.forEach(name -> answer.headers()
                    .firstValue(name)
                    .map(value -> name.equals(HttpHeaders.LOCATION) && value.startsWith("/")
                            ? request.getContextPath() + prefix + value
                            : value)
                    .ifPresent(value -> response.setHeader(name, value)));
            answer.headers().firstValueAsLong(HttpHeaders.CONTENT_LENGTH).ifPresent(response::setContentLengthLong);
            response.setHeader("X-Accel-Buffering", "no");
            OutputStream out = response.getOutputStream();
            // What is small is sent at once as it comes; a stream of events is never held back.
            response.flushBuffer();
            byte[] chunk = new byte[CHUNK];
            for (int count = body.read(chunk); count >= 0; count = body.read(chunk)) {
                out.write(chunk, 0, count);
                out.flush();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
