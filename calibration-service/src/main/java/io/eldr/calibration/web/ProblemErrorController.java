package io.eldr.calibration.web;

import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers with a problem where the server itself refused a request, before any endpoint saw it. */
@Hidden
@RestController
class ProblemErrorController implements ErrorController {
    @RequestMapping("/error")
    ProblemDetail error(HttpServletRequest request) {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        int code = status instanceof Integer given ? given : HttpStatus.INTERNAL_SERVER_ERROR.value();
        HttpStatus known = HttpStatus.resolve(code);
        String reason = known == null ? "status " + code : known.getReasonPhrase();
        return Problems.withStableType(ProblemDetail.forStatusAndDetail(
                HttpStatusCode.valueOf(code), "The server did not take the request: " + reason + "."));
    }
}
