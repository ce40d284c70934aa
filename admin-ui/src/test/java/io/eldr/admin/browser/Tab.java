package io.eldr.admin.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.TimeoutError;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One person's browser, with what a page did that it should not: script errors, dialogs, refused resources. */
final class Tab implements AutoCloseable {
    /** Generous: a test machine may be busy. */
    static final double PATIENCE_MILLIS = 60_000;
    /** For what takes its time even on a machine that is not. */
    static final double LONG_MILLIS = 180_000;

    private static final int WIDTH = 1280;

    private static final Path AXE = Path.of("src/main/frontend/node_modules/axe-core/axe.min.js");
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final BrowserContext context;
    private final Page page;
    private final URI dashboard;
    private final List<String> faults = new ArrayList<>();

    private Tab(BrowserContext context, URI dashboard) {
        this.context = context;
        this.dashboard = dashboard;
        this.page = context.newPage();
        page.setDefaultTimeout(PATIENCE_MILLIS);
        page.onPageError(error -> faults.add("a script failed: " + error));
        page.onDialog(dialog -> {
            faults.add("a dialog opened: " + dialog.message());
            dialog.dismiss();
        });
        page.onConsoleMessage(this::note);
    }

    private void note(ConsoleMessage message) {
        // A refusal that a test provokes is written there by the browser itself.
        if (message.type().equals("error") && !message.text().contains("Failed to load resource")) {
            faults.add("the console says: " + message.text());
        }
    }

    static Tab open(Browser chromium, URI dashboard) {
        return new Tab(chromium.newContext(asAPersonHasIt()), dashboard);
    }

    /** With a login that was made before: {@link #session}. */
    static Tab open(Browser chromium, URI dashboard, String session) {
        return new Tab(chromium.newContext(asAPersonHasIt().setStorageState(session)), dashboard);
    }

    private static Browser.NewContextOptions asAPersonHasIt() {
        return new Browser.NewContextOptions()
                .setViewportSize(WIDTH, 800)
                .setColorScheme(ColorScheme.LIGHT)
                .setReducedMotion(ReducedMotion.REDUCE)
                .setTimezoneId("Europe/Berlin")
                .setLocale("en-GB");
    }

    /** The login, for other tabs. */
    String session() {
        return context.storageState();
    }

    Tab logIn(String user, String password) {
        page.navigate(dashboard + "/");
        page.getByLabel("User").fill(user);
        page.getByLabel("Password").fill(password);
        button("Log in").click();
        see("Overview");
        return this;
    }

    /** Goes to a page of the dashboard and waits for its title. */
    Tab go(String path, String title) {
        page.navigate(dashboard + path);
        see(title);
        return this;
    }

    /** Goes to another page as a link in the page does: without loading everything again. */
    Tab follow(String path, String title) {
        page.evaluate("path => history.pushState({}, '', path)", path);
        see(title);
        return this;
    }

    /** Waits for a page's title. */
    void see(String title) {
        assertThat(page.getByRole(
                        AriaRole.HEADING,
                        new Page.GetByRoleOptions().setName(title).setLevel(1)))
                .isVisible();
    }

    Page page() {
        return page;
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator table(String name) {
        return page.getByRole(
                AriaRole.TABLE, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** A row of a table, by the whole text of an element in it. */
    Locator row(String table, String text) {
        return table(table)
                .getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByText(text, new Page.GetByTextOptions().setExact(true))));
    }

    /** The card of a pool on the Overview. */
    Locator card(String pool) {
        return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(Pattern.compile("^" + pool + " ")));
    }

    /** A part of the page, by its heading. */
    Locator region(String name) {
        return page.getByRole(
                AriaRole.REGION, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    void lighten() {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    }

    void darken() {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    }

    void widen() {
        page.setViewportSize(WIDTH, 800);
    }

    /** To a phone's width. */
    void narrow() {
        page.setViewportSize(390, 844);
    }

    /** Waits until the page is no wider than the screen; false if it stays so. */
    boolean fits() {
        try {
            page.waitForFunction("() => document.documentElement.scrollWidth <= window.innerWidth");
            return true;
        } catch (TimeoutError e) {
            return false;
        }
    }

    /** The dialog that is open. */
    Locator dialog() {
        return page.getByRole(AriaRole.DIALOG);
    }

    /** Confirms the dialog that is open, and waits until it closed: what it asked for was done. */
    void confirm(String button) {
        press(dialog(), button);
        assertThat(dialog()).isHidden();
    }

    /** Presses a button of a dialog or a row. */
    static void press(Locator part, String button) {
        part.getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    static LocatorAssertions assertThat(Locator locator) {
        return PlaywrightAssertions.assertThat(locator);
    }

    static void seeText(Locator locator, String text) {
        assertThat(locator).containsText(text);
    }

    /** Waits until nothing is being loaded. */
    void settle() {
        assertThat(page.locator("[aria-busy=true]")).hasCount(0);
    }

    void screenshot(String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
    }

    /** What axe finds that keeps people from using the page: of serious and critical impact. */
    List<String> seriousAccessibilityFaults() {
        return axe("{}");
    }

    /** Of that only what colours can be at fault for. */
    List<String> contrastFaults() {
        return axe("{ runOnly: ['color-contrast'] }");
    }

    private List<String> axe(String options) {
        if (page.evaluate("() => typeof axe").equals("undefined")) {
            page.evaluate(read(AXE));
        }
        Object found = page.evaluate("""
            () => axe.run(document, { resultTypes: ['violations'], ...%s }).then(({ violations }) => violations
              .filter(({ impact }) => impact === 'serious' || impact === 'critical')
              .map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).slice(0, 3).join(' | ')))
            """.formatted(options));
        return found instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** What has to be there before; empty if all is. */
    static Optional<String> missing() {
        return Files.isRegularFile(AXE)
                ? Optional.empty()
                : Optional.of("there is no " + AXE + ": build the module without -Dfrontend.skip");
    }

    private static String read(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the page did that it should not. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public void close() {
        context.close();
    }
}
