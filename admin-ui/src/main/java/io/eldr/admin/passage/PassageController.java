package io.eldr.admin.passage;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.security.AdminUser;
import io.eldr.admin.upstream.RouterAddress;
import io.eldr.admin.upstream.RouterDirectory;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The services' own APIs below ours; they describe themselves. */
@RestController
@Hidden
class PassageController {
    private static final String CALIBRATION = "/api/calibration";
    private static final String ROUTERS = "/api/routers/";

    private final Passage passage;
    private final URI calibration;
    private final RouterDirectory routers;

    PassageController(Passage passage, AdminProperties properties, RouterDirectory routers) {
        this.passage = passage;
        this.calibration = properties.calibrationUrl();
        this.routers = routers;
    }

    @RequestMapping(CALIBRATION + "/**")
    void calibration(@AuthenticationPrincipal AdminUser user, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        passage.pass(Rules.CALIBRATION, calibration, CALIBRATION, user, request, response);
    }

    @RequestMapping(ROUTERS + "{instance}/**")
    void router(
            @PathVariable String instance,
            @AuthenticationPrincipal AdminUser user,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        RouterAddress router = routers.find(instance)
                .orElseThrow(() -> Problems.exception(
                        ProblemType.NOT_FOUND, "There is no router of this name; it may have been started anew."));
        passage.pass(Rules.ROUTER, router.url(), ROUTERS + instance, user, request, response);
    }
}
