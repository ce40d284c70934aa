package io.eldr.admin.session;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;

/** A user name and a password. */
@Schema(name = "Login")
record LoginRequest(
        @Schema(maxLength = 64) Optional<String> username,
        @Schema(maxLength = 72) Optional<String> password) {}
