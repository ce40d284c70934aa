package io.eldr.engine.metrics;

/**
 * Writes a page in Prometheus' text format, as vLLM's client library writes it: every series of vLLM has two labels. What is
 * not counted for each data-parallel rank is given as that of the first.
 */
final class PageWriter {
    private final StringBuilder page = new StringBuilder(64 << 10);
    private final String model;
    private final String labels;
    private final double createdAt;

    /**
     * @param model the value of {@code model_name}
     * @param createdAt when the worker started, in seconds of the epoch
     */
    PageWriter(String model, double createdAt) {
        this.model = escape(model);
        this.labels = labelsOf(0);
        this.createdAt = createdAt;
    }

    void head(String name, String help, String type) {
        page.append("# HELP ").append(name).append(' ').append(help).append('\n');
        page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    void gauge(String name, String help, double value) {
        head(name, help, "gauge");
        value(name, value);
    }

    /** A gauge of each rank. */
    void gauge(String name, String help, int[] values) {
        head(name, help, "gauge");
        for (int rank = 0; rank < values.length; rank++) {
            series(name, labelsOf(rank), values[rank]);
        }
    }

    private String labelsOf(int rank) {
        return "engine=\"" + rank + "\",model_name=\"" + model + "\"";
    }

    /** @param name ends with {@code _total} */
    void counter(String name, String help, long value) {
        head(name, help, "counter");
        value(name, value);
        created(name.substring(0, name.length() - "_total".length()));
    }

    void created(String name) {
        head(name + "_created", "Time the series was created.", "gauge");
        value(name + "_created", createdAt);
    }

    void value(String name, double value) {
        series(name, labels, value);
    }

    void value(String name, long value) {
        series(name, labels, value);
    }

    /** @param bound positive infinity for the last one */
    void bucket(String name, double bound, long count) {
        String text = Double.isInfinite(bound) ? "+Inf" : number(bound);
        series(name + "_bucket", labelled("le", text), count);
    }

    void labelled(String name, String label, String labelValue, long value) {
        series(name, labelled(label, labelValue), value);
    }

    /** A series that is not vLLM's own. */
    void series(String name, String labels, long value) {
        series(name, labels, (double) value);
    }

    void series(String name, String labels, double value) {
        page.append(name);
        if (!labels.isEmpty()) {
            page.append('{').append(labels).append('}');
        }
        page.append(' ').append(number(value)).append('\n');
    }

    /** The client library sorts labels by name. */
    private String labelled(String label, String value) {
        String pair = label + "=\"" + escape(value) + "\"";
        int middle = labels.indexOf(",model_name");
        return label.compareTo("model_name") < 0
                ? labels.substring(0, middle) + "," + pair + labels.substring(middle)
                : labels + "," + pair;
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String number(double value) {
        return Double.toString(value);
    }

    @Override
    public String toString() {
        return page.toString();
    }
}
