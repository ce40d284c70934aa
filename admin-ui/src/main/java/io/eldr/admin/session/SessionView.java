package io.eldr.admin.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Who is logged in, and how to log in where nobody is. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(name = "Session", description = "Who is logged in, and how to log in where nobody is")
record SessionView(
        boolean authenticated,

        @Schema(description = "Absent where nobody is logged in")
        Optional<String> user,

        @Schema(
                description = "Absent where nobody is logged in",
                allowableValues = {"viewer", "operator", "admin"})
        Optional<String> role,

        @Schema(description = "When the session ends, used or not")
        Optional<Instant> expiresAt,

        Csrf csrf,

        @Schema(description = "Whether a user name and a password are taken here")
        boolean passwordLogin,

        @Schema(description = "Where else one can log in: links to follow")
        List<Provider> providers) {

    /** What each call but GET must carry. */
    record Csrf(
            @Schema(description = "The header that takes the token")
            String header,

            String token) {}

    /** Another way to log in. */
    record Provider(
            String name,

            @Schema(description = "Relative to the page's base")
            String url) {}
}
