package io.eldr.calibration.pool;

import io.eldr.service.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/pools/{pool}/workers")
class WorkerController {
    private final WorkerService workers;

    WorkerController(WorkerService workers) {
        this.workers = workers;
    }

    @Operation(summary = "The declared workers of a pool, by slot")
    @GetMapping
    List<WorkerView> all(@PathVariable String pool) {
        return workers.all(pool);
    }

    @Operation(summary = "Declares a worker, or declares it anew; a drain goes on")
    @ApiResponse(responseCode = "201", description = "The slot is new")
    @ApiResponse(responseCode = "200", description = "The slot was declared before")
    @PutMapping("/{slot}")
    ResponseEntity<WorkerView> declare(
            @PathVariable String pool,
            @PathVariable String slot,
            @RequestBody WorkerDeclaration declaration,
            Caller caller) {
        WorkerService.Declared declared = workers.declare(pool, slot, declaration, caller);
        return ResponseEntity.status(declared.created() ? HttpStatus.CREATED : HttpStatus.OK)
                .body(declared.worker());
    }

    @Operation(summary = "Removes a worker")
    @DeleteMapping("/{slot}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable String pool, @PathVariable String slot, Caller caller) {
        workers.remove(pool, slot, caller);
    }

    @Operation(summary = "Lets a worker finish what runs and gives it nothing new")
    @PostMapping("/{slot}/drain")
    WorkerView drain(@PathVariable String pool, @PathVariable String slot, Caller caller) {
        return workers.drain(pool, slot, caller);
    }

    @Operation(summary = "Ends a drain")
    @PostMapping("/{slot}/resume")
    WorkerView resume(@PathVariable String pool, @PathVariable String slot, Caller caller) {
        return workers.resume(pool, slot, caller);
    }
}
