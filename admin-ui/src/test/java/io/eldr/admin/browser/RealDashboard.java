package io.eldr.admin.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real browser before everything that {@code ./eldr up} starts; one for all test classes that ask for it. Where something
 * is missing the tests are skipped and say what.
 */
final class RealDashboard implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RealDashboard.class);

    private final RealStack stack;
    private final Playwright playwright;
    private final Browser chromium;
    private final Map<String, String> sessions = new HashMap<>();

    private RealDashboard(Path executable) {
        PlaywrightAssertions.setDefaultAssertionTimeout(Tab.PATIENCE_MILLIS);
        // Starts while the browser does.
        this.stack = RealStack.start();
        try {
            this.playwright = Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
        try {
            this.chromium = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(executable)
                            .setTimeout(Tab.LONG_MILLIS)
                            .setChromiumSandbox(false)
                            .setArgs(List.of("--disable-gpu")));
            stack.awaitReady();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    RealStack stack() {
        return stack;
    }

    /** A new login. */
    Tab logIn(String user) {
        return open(stack.dashboard()).logIn(user, stack.passwordOf(user));
    }

    /** With a login that tests share, which is made when the first of them needs it; no page is open yet. */
    Tab as(String user) {
        return Tab.open(chromium, stack.dashboard(), sessions.computeIfAbsent(user, this::session));
    }

    private String session(String user) {
        try (Tab tab = logIn(user)) {
            return tab.session();
        }
    }

    /** Before another dashboard than the stack's. */
    Tab open(URI dashboard) {
        return Tab.open(chromium, dashboard);
    }

    @Override
    public void close() {
        playwright.close();
        stack.close();
    }

    /** A start, which is not tried again for every class where it went wrong. */
    private record Start(Optional<RealDashboard> dashboard, Optional<RuntimeException> failure)
            implements AutoCloseable {
        static Start of(Path executable) {
            try {
                return new Start(Optional.of(new RealDashboard(executable)), Optional.empty());
            } catch (RuntimeException e) {
                return new Start(Optional.empty(), Optional.of(e));
            }
        }

        RealDashboard get() {
            return dashboard.orElseThrow(() -> new IllegalStateException("nothing to test started", failure.get()));
        }

        @Override
        public void close() {
            dashboard.ifPresent(RealDashboard::close);
        }
    }

    /** Hands it to the tests that name it in their constructor, and stops it after the last of them. */
    static final class Provider implements ParameterResolver, ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Optional<String> missing = RealStack.chromium().isEmpty()
                    ? Optional.of("there is no Chromium: apt install chromium-headless-shell")
                    : RealStack.missing().or(Tab::missing);
            if (context.getTestMethod().isEmpty()) {
                missing.ifPresent(reason -> log.warn("{} is skipped: {}", context.getDisplayName(), reason));
            }
            return missing.map(ConditionEvaluationResult::disabled)
                    .orElseGet(() -> ConditionEvaluationResult.enabled("all is there"));
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == RealDashboard.class;
        }

        @Override
        public RealDashboard resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .computeIfAbsent(
                            RealDashboard.class,
                            _ -> Start.of(RealStack.chromium().orElseThrow()),
                            Start.class)
                    .get();
        }
    }
}
