package io.eldr.admin.web;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.util.HtmlUtils;

/**
 * The page, for each of its own paths. Its {@code <base href>} is set to where the browser sees this service, so that it
 * works under any sub-path.
 */
@Controller
@Hidden
class FrontEndController {
    private static final Pattern BASE = Pattern.compile("<base\\s+href=\"[^\"]*\"\\s*/?>");

    private final String page;

    FrontEndController() {
        this.page = read();
    }

    /** Whatever has no dot in its first segment and belongs to nobody else is a path of the page. */
    @GetMapping({"/", "/index.html", "/{page:(?!(?:api|assets|v1)$)[^.]+}", "/{page:(?!(?:api|assets|v1)$)[^.]+}/**"})
    ResponseEntity<String> page(HttpServletRequest request) {
        String base = "<base href=\"" + HtmlUtils.htmlEscape(request.getContextPath()) + "/\">";
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noStore())
                .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                .body(BASE.matcher(page).replaceFirst(Matcher.quoteReplacement(base)));
    }

    private static String read() {
        ClassPathResource file = new ClassPathResource("static/index.html");
        if (!file.exists()) {
            return "<!doctype html><html lang=\"en\"><head><base"
                    + " href=\"/\"><title>ELDR</title></head><body><h1>ELDR</h1><p>This build has no front end: it was"
                    + " made with -Dfrontend.skip. The API is below api/.</p></body></html>";
        }
        try {
            return file.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The page cannot be read", e);
        }
    }
}
