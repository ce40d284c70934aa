package io.eldr.core.calibration;

import io.eldr.core.trace.TokenOrigin;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What {@link Gate} found.
 *
 * @param passed whether the candidate may replace the active artifact
 * @param measure by which requests of one group were compared; absent where none could be taken (a warning says why) or the
 *     rule asks for none
 * @param tokens where the decode tokens of the unions come from; present for {@link GateMeasure#UNION}
 * @param batch requests in a union's batch; present for {@link GateMeasure#UNION}
 * @param candidate the measure under the candidate
 * @param active the measure under the active artifact, of the same requests
 * @param low lower end of the 95 % interval of candidate - active (paired bootstrap over requests)
 * @param high upper end of it
 * @param candidateHottestShare the share of the requests that are nearest to the candidate's most drawn-to cluster
 * @param activeHottestShare the same for the active artifact; its recorded share where its shape does not fit the requests
 * @param shareLimit what the candidate's share may be at most: max(active's, 2/K)
 * @param requests judged on
 * @param reasons what failed, with figures; empty where it passed
 * @param warnings what to know about this judgement
 */
public record GateVerdict(
        boolean passed,
        GateRule rule,
        Optional<GateMeasure> measure,
        Optional<TokenOrigin> tokens,
        OptionalInt batch,
        OptionalDouble candidate,
        OptionalDouble active,
        OptionalDouble low,
        OptionalDouble high,
        OptionalDouble candidateHottestShare,
        OptionalDouble activeHottestShare,
        double shareLimit,
        int requests,
        List<String> reasons,
        List<String> warnings) {
    public GateVerdict {
        reasons = List.copyOf(reasons);
        warnings = List.copyOf(warnings);
    }

    /** This verdict as a JSON object; what is not known is null. */
    public String toJson() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonFactory.builder().build().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeBooleanProperty("passed", passed);
            json.writeStringProperty(
                    "rule", rule.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            ReportJson.writeText(json, "measure", measure.map(GateMeasure::id));
            ReportJson.writeText(json, "token", tokens.map(TokenOrigin::id));
            ReportJson.writeInteger(json, "batch", batch);
            ReportJson.writeNumber(json, "candidate", candidate);
            ReportJson.writeNumber(json, "active", active);
            json.writeObjectPropertyStart("difference");
            ReportJson.writeNumber(json, "low", low);
            ReportJson.writeNumber(json, "high", high);
            json.writeEndObject();
            json.writeObjectPropertyStart("hottestShare");
            ReportJson.writeNumber(json, "candidate", candidateHottestShare);
            ReportJson.writeNumber(json, "active", activeHottestShare);
            json.writeNumberProperty("limit", shareLimit);
            json.writeEndObject();
            json.writeNumberProperty("requests", requests);
            ReportJson.writeTexts(json, "reasons", reasons);
            ReportJson.writeTexts(json, "warnings", warnings);
            json.writeEndObject();
        }
        return text.toString();
    }
}
