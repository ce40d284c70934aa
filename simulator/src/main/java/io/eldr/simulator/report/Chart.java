package io.eldr.simulator.report;

import java.util.List;

/**
 * How a table is drawn.
 *
 * @param x the key of the column along the horizontal axis
 * @param y the keys of the columns drawn; where a column {@code yLow} and {@code yHigh} stand beside one, as whiskers
 * @param by the key of the column that tells series apart; blank: each {@code y} is a series
 * @param xTitle of the axis, with its unit
 * @param yTitle of the axis, with its unit
 */
public record Chart(Kind kind, String x, List<String> y, String by, String xTitle, String yTitle) {
    /** What is drawn. */
    public enum Kind {
        LINE("line"),
        SCATTER("scatter"),
        BAR("bar");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        /** The name in JSON. */
        public String id() {
            return id;
        }
    }

    public Chart {
        y = List.copyOf(y);
    }

    static Chart bars(String x, List<String> y, String xTitle, String yTitle) {
        return new Chart(Kind.BAR, x, y, "", xTitle, yTitle);
    }

    static Chart lines(String x, String y, String by, String xTitle, String yTitle) {
        return new Chart(Kind.LINE, x, List.of(y), by, xTitle, yTitle);
    }

    static Chart dots(String x, String y, String by, String xTitle, String yTitle) {
        return new Chart(Kind.SCATTER, x, List.of(y), by, xTitle, yTitle);
    }
}
