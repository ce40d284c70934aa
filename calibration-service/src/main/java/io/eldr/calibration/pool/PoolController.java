package io.eldr.calibration.pool;

import io.eldr.service.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import java.net.URI;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/pools")
class PoolController {
    private final PoolService pools;

    PoolController(PoolService pools) {
        this.pools = pools;
    }

    @Operation(summary = "All pools, by name")
    @GetMapping
    List<PoolView> all() {
        return pools.all();
    }

    @Operation(summary = "Makes a pool")
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<PoolView> create(@RequestBody NewPool pool, Caller caller) {
        PoolView created = pools.create(pool, caller);
        return ResponseEntity.created(URI.create("/v1/pools/" + created.name())).body(created);
    }

    @Operation(summary = "One pool")
    @GetMapping("/{pool}")
    PoolView one(@PathVariable String pool) {
        return pools.one(pool);
    }

    @Operation(
            summary = "Changes how a pool is routed and refitted; what is absent stays",
            description =
                    "Operators may change policy, tau, minCandidates, hot, shadow and switchback; admins everything.")
    @PatchMapping("/{pool}")
    PoolView change(@PathVariable String pool, @RequestBody PoolChange change, Caller caller) {
        return pools.change(pool, change, caller);
    }

    @Operation(summary = "Deletes a pool and cancels its open refits; its history stays in the audit log")
    @DeleteMapping("/{pool}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String pool, Caller caller) {
        pools.delete(pool, caller);
    }
}
