package io.eldr.admin.browser;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;

/** How busy a page keeps its browser: the time of all tasks on its main thread, as the DevTools count it. */
final class BrowserCost {
    private final CDPSession tools;
    private double tasksAtBegin;
    private double timeAtBegin;

    private BrowserCost(CDPSession tools) {
        this.tools = tools;
    }

    static BrowserCost of(Page page) {
        CDPSession tools = page.context().newCDPSession(page);
        tools.send("Performance.enable");
        return new BrowserCost(tools);
    }

    void begin() {
        JsonArray metrics = metrics();
        tasksAtBegin = value(metrics, "TaskDuration");
        timeAtBegin = value(metrics, "Timestamp");
    }

    /** Of one core, since {@link #begin}. */
    double share() {
        JsonArray metrics = metrics();
        return (value(metrics, "TaskDuration") - tasksAtBegin) / (value(metrics, "Timestamp") - timeAtBegin);
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
