package io.eldr.calibration.refit;

import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.refit.Proposal;
import io.eldr.db.refit.RefitRun;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shows refits. */
@Component
class RefitViews {
    private final ActivationLedger ledger;
    private final JsonMapper json;

    RefitViews(ActivationLedger ledger, JsonMapper json) {
        this.ledger = ledger;
        this.json = json;
    }

    /** Without the report. */
    RefitView brief(String pool, RefitRun run) {
        return view(pool, run, Optional.empty());
    }

    RefitView whole(String pool, RefitRun run) {
        return view(pool, run, run.report().map(json::readTree));
    }

    private RefitView view(String pool, RefitRun run, Optional<JsonNode> report) {
        return RefitView.of(pool, run, isProposed(run), json.readTree(run.options()), report);
    }

    /** A proposal is overtaken as soon as its own or a newer version is served. */
    boolean isProposed(RefitRun run) {
        return run.proposal().equals(Optional.of(Proposal.OPEN))
                && run.version().isPresent()
                && ledger.largestServed(run.poolId()) < run.version().getAsInt();
    }
}
