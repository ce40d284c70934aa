package io.eldr.admin.browser;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;

/** The processor time that a page takes, as the DevTools count it; what else the machine does is not in it. */
final class BrowserCost {
    private final CDPSession tools;
    private JsonArray begin;

    private BrowserCost(CDPSession tools) {
        this.tools = tools;
        tools.send("Performance.enable");
        begin = metrics();
    }

    static BrowserCost of(Page page) {
        return new BrowserCost(page.context().newCDPSession(page));
    }

    /**
     * Since the last call, or since the beginning, in cores.
     *
     * @param mainThread what scripts, styles and layout take
     * @param process that and what draws, compiles and collects garbage
     */
    record Share(double mainThread, double process) {
        @Override
        public String toString() {
            return "%.1f %% of a core on the page's main thread, %.1f %% in its whole process"
                    .formatted(100 * mainThread, 100 * process);
        }
    }

    Share share() {
        JsonArray now = metrics();
        double seconds = since(now, "Timestamp");
        Share share = new Share(since(now, "ThreadTime") / seconds, since(now, "ProcessTime") / seconds);
        begin = now;
        return share;
    }

    private double since(JsonArray now, String name) {
        return value(now, name) - value(begin, name);
    }

    private JsonArray metrics() {
        return tools.send("Performance.getMetrics").getAsJsonArray("metrics");
    }

    private static double value(JsonArray metrics, String name) {
        for (JsonElement metric : metrics) {
            JsonObject named = metric.getAsJsonObject();
            if (named.get("name").getAsString().equals(name)) {
                return named.get("value").getAsDouble();
            }
        }
        throw new IllegalStateException("the browser does not count " + name);
    }
}
