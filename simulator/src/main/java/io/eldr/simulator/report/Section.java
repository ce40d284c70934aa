package io.eldr.simulator.report;

import java.util.List;

/**
 * One figure of the paper, on every trace set that can carry it.
 *
 * @param id in JSON and as the page's anchor
 * @param title with the paper's number of the figure
 * @param method how it was measured
 * @param authors what the authors measured, or that it is not published here
 * @param differs where our shape is another one than theirs, and why; blank where it is not
 * @param reproducible false where the numbers are this machine's times
 */
public record Section(
        String id,
        String title,
        String method,
        String authors,
        List<Panel> panels,
        List<String> absent,
        String differs,
        boolean reproducible) {
    /** What stands for the authors' value where we have none. */
    static final String NOT_PUBLISHED = "not published here";

    public Section {
        panels = List.copyOf(panels);
        absent = List.copyOf(absent);
    }
}
