package io.eldr.calibration.web;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps bodies within their limits: one that announces more is refused before it is read, one that does not say how long
 * it is when it goes beyond. Runs behind the filters of security.
 */
@Component
class BodyLimitFilter extends OncePerRequestFilter {
    private final CalibrationProperties.Bodies limits;

    BodyLimitFilter(CalibrationProperties properties) {
        this.limits = properties.bodies();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long limit = limit(request);
        if (request.getContentLengthLong() > limit) {
            byte[] body = Problems.toJson(new BodyTooLargeException(limit).problem());
            response.setStatus(ProblemType.TOO_LARGE.status().value());
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            return;
        }
        chain.doFilter(new Limited(request, limit), response);
    }

    private long limit(HttpServletRequest request) {
        String path = request.getRequestURI();
        if (path.endsWith("/samples")) {
            return limits.samples().toBytes();
        }
        return (path.endsWith("/artifacts") ? limits.artifact() : limits.other()).toBytes();
    }

    private static final class Limited extends HttpServletRequestWrapper {
        private final long limit;

        Limited(HttpServletRequest request, long limit) {
            super(request);
            this.limit = limit;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new LimitedBody(super.getInputStream(), limit);
        }
    }
}
