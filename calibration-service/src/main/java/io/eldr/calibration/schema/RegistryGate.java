package io.eldr.calibration.schema;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;

/** Answers 503 at once while the registry is not there, instead of letting every call wait for a connection. */
@Component
public class RegistryGate implements HandlerInterceptor {
    private final RegistryMonitor monitor;

    RegistryGate(RegistryMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getDispatcherType() == DispatcherType.ASYNC) {
            // The end of a stream that was let in.
            return true;
        }
        return switch (monitor.state()) {
            case READY -> true;
            case NOT_MIGRATED ->
                throw Problems.exception(ProblemType.UNAVAILABLE, "The database has no schema yet; it is waited for.");
            case UNKNOWN, AWAY ->
                throw Problems.exception(ProblemType.UNAVAILABLE, "Postgres does not answer. Try again soon.");
        };
    }
}
