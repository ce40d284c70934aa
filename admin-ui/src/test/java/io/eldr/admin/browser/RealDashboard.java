package io.eldr.admin.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real browser before everything that {@code ./eldr up} starts; one for all test classes that ask for it. Where something
 * is missing the tests are skipped and say what.
 */
final class RealDashboard implements AutoCloseable {
    private final Playwright playwright;
    private final Browser chromium;
    private final RealStack stack;

    private RealDashboard(Path executable) {
        this.playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        try {
            this.chromium = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(executable)
                            .setChromiumSandbox(false)
                            .setArgs(List.of("--disable-gpu")));
            this.stack = RealStack.start();
        } catch (RuntimeException e) {
            playwright.close();
            throw e;
        }
    }

    RealStack stack() {
        return stack;
    }

    Tab logIn(String user) {
        return logIn(user, 1280, ColorScheme.LIGHT);
    }

    Tab logIn(String user, int width, ColorScheme colours) {
        return Tab.open(chromium, stack.dashboard(), width, colours).logIn(user, stack.passwordOf(user));
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

    /** Hands it to the tests that name it in their constructor, and stops it after the last of them. */
    static final class Provider implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == RealDashboard.class;
        }

        @Override
        public RealDashboard resolveParameter(ParameterContext parameter, ExtensionContext context) {
            Optional<Path> executable = RealStack.chromium();
            Assumptions.assumeTrue(executable.isPresent(), "there is no Chromium: apt install chromium");
            Optional<String> missing = RealStack.missing().or(Tab::missing);
            Assumptions.assumeTrue(missing.isEmpty(), missing.orElse(""));
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .computeIfAbsent(
                            RealDashboard.class, _ -> new RealDashboard(executable.get()), RealDashboard.class);
        }
    }
}
