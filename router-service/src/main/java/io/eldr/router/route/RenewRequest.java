package io.eldr.router.route;

import io.eldr.core.load.Lease;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long a lease is to run from now. */
@Schema(description = "How long the lease is to run from now. Unknown fields are refused.")
record RenewRequest(
        @Schema(description = "1 to 600; absent: as long as it was last given") @Nullable
        Integer leaseSeconds) {

    Optional<Lease> lease() {
        return Optional.ofNullable(leaseSeconds).map(Lease::ofSeconds);
    }
}
