package io.eldr.calibration.audit;

import io.eldr.calibration.web.Fields;
import io.eldr.calibration.web.Limits;
import io.eldr.db.audit.AuditLog;
import io.swagger.v3.oas.annotations.Operation;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

@RestController
class AuditController {
    private final AuditLog log;
    private final JsonMapper json;

    AuditController(AuditLog log, JsonMapper json) {
        this.log = log;
        this.json = json;
    }

    @Operation(summary = "The newest entries of the audit log, newest first")
    @GetMapping("/v1/audit")
    List<AuditView> newest(
            @RequestParam Optional<String> pool, @RequestParam(defaultValue = "" + Limits.DEFAULT) int limit) {
        return log.newest(pool.map(name -> Fields.name("pool", name)), Limits.check(limit)).stream()
                .map(entry -> AuditView.of(entry, json))
                .toList();
    }
}
