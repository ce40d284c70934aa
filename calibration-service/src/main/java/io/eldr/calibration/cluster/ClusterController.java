package io.eldr.calibration.cluster;

import io.eldr.core.signature.InvalidInputException;
import io.swagger.v3.oas.annotations.Operation;
import java.util.concurrent.TimeUnit;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/pools/{pool}/artifacts/{version}/clusters")
class ClusterController {
    private static final int MAX_SAMPLES = 10_000;

    private final ClusterService clusters;

    ClusterController(ClusterService clusters) {
        this.clusters = clusters;
    }

    @Operation(
            summary = "The clusters of a version: who serves them, how big they are, and what sets them apart",
            description = "`samples` says on how many of the pool's newest samples sizes and labels are counted, 1 to"
                    + " 10,000.")
    @GetMapping
    ClustersView all(
            @PathVariable String pool, @PathVariable int version, @RequestParam(defaultValue = "1000") int samples) {
        if (samples < 1 || samples > MAX_SAMPLES) {
            throw new InvalidInputException("samples", "must be between 1 and " + MAX_SAMPLES + " but is " + samples);
        }
        return clusters.clusters(pool, version, samples);
    }

    @Operation(summary = "Which experts a cluster uses, by layer")
    @GetMapping("/{cluster}/experts")
    ResponseEntity<ClustersView.ExpertsView> experts(
            @PathVariable String pool, @PathVariable int version, @PathVariable int cluster) {
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(1, TimeUnit.MINUTES).cachePrivate())
                .body(clusters.experts(pool, version, cluster));
    }
}
