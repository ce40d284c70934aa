package io.eldr.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.signature.InvalidInputException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import reactor.core.publisher.Mono;

class AccessTokensTest {

    private final AccessTokens tokens = new AccessTokens(new AccessProperties(
            List.of(
                    token("reader", Role.VIEWER, false),
                    token("gateway", Role.CLIENT, false),
                    token("operator", Role.OPERATOR, false),
                    token("admin", Role.ADMIN, false),
                    token("admin-ui", Role.ADMIN, true)),
            OidcProperties.none()));
    private final Callers callers = new Callers(tokens, OidcProperties.none());

    @ParameterizedTest
    @CsvSource({
        "reader, ROLE_VIEWER",
        "gateway, ROLE_CLIENT",
        "operator, ROLE_VIEWER ROLE_CLIENT ROLE_OPERATOR",
        "admin, ROLE_VIEWER ROLE_CLIENT ROLE_OPERATOR ROLE_ADMIN"
    })
    void everyRoleHasTheAuthoritiesItIncludes(String name, String authorities) {
        OAuth2AuthenticatedPrincipal principal = new CallerIntrospector(callers).introspect("token of " + name);

        assertThat(principal.getName()).isEqualTo(name);
        assertThat(principal.getAuthorities())
                .extracting(GrantedAuthority::getAuthority)
                .containsExactlyInAnyOrder(authorities.split(" "));
    }

    @Test
    void doesNotKnowOtherTokens() {
        assertThat(tokens.find("token of nobody")).isEmpty();
        assertThat(tokens.find("")).isEmpty();
        assertThat(tokens.find(TokenDigest.of("token of admin").hex())).isEmpty();
    }

    @Test
    void introspectorsOfBothStacksRefuseUnknownTokens() {
        Mono<OAuth2AuthenticatedPrincipal> answer = new ReactiveCallerIntrospector(callers).introspect("nobody's");

        assertThatThrownBy(() -> new CallerIntrospector(callers).introspect("nobody's"))
                .isInstanceOf(BadOpaqueTokenException.class);
        assertThatThrownBy(answer::block).isInstanceOf(BadOpaqueTokenException.class);
    }

    @Test
    void theReactiveIntrospectorFindsTheSameCaller() {
        OAuth2AuthenticatedPrincipal principal = new ReactiveCallerIntrospector(callers)
                .introspect("token of gateway")
                .blockOptional()
                .orElseThrow();

        assertThat(principal).isEqualTo(new CallerPrincipal(caller("gateway")));
    }

    @Test
    void aServiceActsForTheUserItNames() {
        Caller caller = caller("admin-ui").actingFor(" ada ", null);

        assertThat(caller.actingUser()).contains("ada");
        assertThat(caller.actor()).isEqualTo("ada (admin-ui)");
    }

    @Test
    void theActingUserOfACallerThatIsNoServiceIsIgnored() {
        Caller caller = caller("admin").actingFor("ada", null);

        assertThat(caller.actingUser()).isEqualTo(Optional.empty());
        assertThat(caller.actor()).isEqualTo("admin");
    }

    @Test
    void aServiceMayCallForItself() {
        assertThat(caller("admin-ui").actingFor(null, null).actor()).isEqualTo("admin-ui");
        assertThat(caller("admin-ui").actingFor(" ", null).actor()).isEqualTo("admin-ui");
    }

    @ParameterizedTest
    @CsvSource({"1000, a", "3, '\u0007'"})
    void aUserThatCannotStandInAnAuditRowIsRefused(int length, String character) {
        String user = "x" + character.repeat(length) + "x";

        assertThatThrownBy(() -> caller("admin-ui").actingFor(user, null)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void aServiceMayDoNoMoreThanTheUserItActsFor() {
        Caller service = caller("admin-ui");

        assertThat(service.actingFor("ada", "viewer").roles()).containsExactly(Role.VIEWER);
        assertThat(service.actingFor("ada", "admin").roles()).isEqualTo(service.roles());
        assertThat(caller("admin").actingFor("ada", "viewer").roles())
                .as("of a caller that is no service")
                .isEqualTo(caller("admin").roles());
        assertThatThrownBy(() -> service.actingFor("ada", "client")).isInstanceOf(InvalidInputException.class);
    }

    private Caller caller(String name) {
        return tokens.find("token of " + name).orElseThrow();
    }

    private static AccessProperties.TokenProperties token(String name, Role role, boolean service) {
        return new AccessProperties.TokenProperties(
                name, role, TokenDigest.of("token of " + name).hex(), service);
    }
}
