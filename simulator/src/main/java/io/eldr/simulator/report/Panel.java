package io.eldr.simulator.report;

/**
 * A figure on one trace set.
 *
 * @param title the set, and which part of the figure
 * @param reading what the numbers say, worked out from them
 */
public record Panel(String title, Chart chart, Table table, String reading) {}
