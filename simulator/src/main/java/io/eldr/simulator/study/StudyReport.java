package io.eldr.simulator.study;

import io.eldr.core.trace.TokenOrigin;
import java.util.List;

/**
 * What a study found.
 *
 * @param origin where the experts of decode tokens came from
 * @param runs in the order of the plan: by decoders, then rate, then policy, then tau
 */
public record StudyReport(StudyPlan plan, TokenOrigin origin, List<PolicyRun> runs) {
    public StudyReport {
        runs = List.copyOf(runs);
    }

    /** As a JSON object, in the form that {@code ./eldr simulate} prints. */
    public String toJson() {
        return StudyJson.write(this);
    }

    /** As a table for people, one line for each run. */
    public List<String> toTable() {
        return StudyTable.lines(this);
    }
}
