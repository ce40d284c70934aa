package io.eldr.simulator.report;

import java.util.List;

/**
 * What was found.
 *
 * @param sets the trace sets that were there
 * @param absent the sets that were not, and why
 */
public record EvaluationReport(ReportPlan plan, List<TraceSet> sets, List<String> absent, List<Section> sections) {
    public EvaluationReport {
        sets = List.copyOf(sets);
        absent = List.copyOf(absent);
        sections = List.copyOf(sections);
    }

    /** As a JSON object; the same seed and sets give the same, but for sections that say they are not reproducible. */
    public String toJson() {
        return EvaluationJson.write(this);
    }
}
