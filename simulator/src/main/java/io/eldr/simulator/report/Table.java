package io.eldr.simulator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The numbers of a figure; charts and JSON are made from these very rows. */
public record Table(List<Column> columns, List<Row> rows) {
    public Table {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * @param key the name in JSON
     * @param title with the unit, for people
     * @param digits behind the point, for people
     */
    public record Column(String key, String title, int digits) {}

    /** One value for each column. */
    public record Row(List<Value> values) {
        public Row {
            values = List.copyOf(values);
        }
    }

    /** What a cell holds. */
    public sealed interface Value {
        record Text(String text) implements Value {}

        /** @param value finite */
        record Figure(double value) implements Value {}

        /** Not known, or undefined. */
        record Unknown() implements Value {}
    }

    static Builder with(Column... columns) {
        return new Builder(List.of(columns));
    }

    static Column text(String key, String title) {
        return new Column(key, title, 0);
    }

    static Column number(String key, String title, int digits) {
        return new Column(key, title, digits);
    }

    /** Collects rows. */
    static final class Builder {
        private final List<Column> columns;
        private final List<Row> rows = new ArrayList<>();

        private Builder(List<Column> columns) {
            this.columns = columns;
        }

        /** @param cells strings, numbers and optional numbers, one for each column */
        Builder row(Object... cells) {
            if (cells.length != columns.size()) {
                throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
            }
            List<Value> values = new ArrayList<>();
            for (Object cell : cells) {
                values.add(value(cell));
            }
            rows.add(new Row(values));
            return this;
        }

        Table build() {
            return new Table(columns, rows);
        }

        private static Value value(Object cell) {
            return switch (cell) {
                case String text -> new Value.Text(text);
                case Number number when Double.isFinite(number.doubleValue()) -> new Value.Figure(number.doubleValue());
                case Number _ -> new Value.Unknown();
                case OptionalDouble known when known.isPresent() -> value(known.getAsDouble());
                case OptionalDouble _ -> new Value.Unknown();
                default -> throw new IllegalArgumentException("no cell can hold a " + cell.getClass());
            };
        }
    }
}
