package io.eldr.admin.session;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.security.AdminUser;
import io.eldr.admin.security.SignIn;
import io.eldr.admin.users.UserDirectory;
import io.eldr.service.access.Role;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.XorCsrfTokenRequestAttributeHandler;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/session")
@Tag(name = "Session", description = "Who is logged in")
class SessionController {
    private static final Logger log = LoggerFactory.getLogger(SessionController.class);
    private static final int MAX_NAME = 64;

    private final SignIn signIn;
    private final UserDirectory users;
    private final LoginThrottle throttle;
    private final CsrfTokenRepository csrfTokens;
    private final List<SessionView.Provider> providers;

    SessionController(
            SignIn signIn,
            UserDirectory users,
            AdminProperties properties,
            InstantSource clock,
            CsrfTokenRepository csrfTokens,
            ObjectProvider<ClientRegistrationRepository> registrations) {
        this.signIn = signIn;
        this.users = users;
        this.throttle = new LoginThrottle(
                properties.session().failures(), properties.session().lockFor(), clock);
        this.csrfTokens = csrfTokens;
        this.providers = registrations.stream()
                .filter(InMemoryClientRegistrationRepository.class::isInstance)
                .map(InMemoryClientRegistrationRepository.class::cast)
                .flatMap(all -> StreamSupport.stream(all.spliterator(), false))
                .map(SessionController::provider)
                .toList();
    }

    private static SessionView.Provider provider(ClientRegistration registration) {
        return new SessionView.Provider(
                registration.getClientName(), "oauth2/authorization/" + registration.getRegistrationId());
    }

    @Operation(summary = "Who is logged in, and the CSRF token that each call but GET must carry")
    @GetMapping
    SessionView session(@AuthenticationPrincipal @Nullable AdminUser user, HttpServletRequest request) {
        CsrfToken token = (CsrfToken) request.getAttribute(CsrfToken.class.getName());
        return view(Optional.ofNullable(user), token);
    }

    @Operation(summary = "Logs in with a user name and a password; the answer has a new CSRF token")
    @ApiResponse(responseCode = "200", description = "Logged in")
    @PostMapping
    ResponseEntity<SessionView> logIn(
            @RequestBody LoginRequest login, HttpServletRequest request, HttpServletResponse response) {
        String name = login.username().map(String::strip).orElse("");
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw invalid("username", "must have 1 to " + MAX_NAME + " characters");
        }
        String password =
                login.password().filter(text -> !text.isEmpty()).orElseThrow(() -> invalid("password", "is missing"));
        String address = request.getRemoteAddr();
        throttle.mustWait(name, address).ifPresent(SessionController::refuse);
        Role role = users.check(name, password).orElseThrow(() -> {
            throttle.failed(name, address);
            log.info("A login failed from {}", address);
            return Problems.exception(ProblemType.UNAUTHORIZED, "The user name or the password is wrong.");
        });
        throttle.succeeded(name, address);
        AdminUser user = signIn.begin(name, role, true, request, response);
        return ResponseEntity.ok(view(Optional.of(user), freshToken(request, response)));
    }

    @Operation(summary = "Logs out")
    @ApiResponse(responseCode = "204", description = "Nobody is logged in any more")
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void logOut(HttpServletRequest request, HttpServletResponse response) {
        signIn.end(request, response);
    }

    private CsrfToken freshToken(HttpServletRequest request, HttpServletResponse response) {
        CsrfToken token = csrfTokens.generateToken(request);
        csrfTokens.saveToken(token, request, response);
        new XorCsrfTokenRequestAttributeHandler().handle(request, response, () -> token);
        return (CsrfToken) request.getAttribute(CsrfToken.class.getName());
    }

    private SessionView view(Optional<AdminUser> user, CsrfToken token) {
        return new SessionView(
                user.isPresent(),
                user.map(AdminUser::name),
                user.map(AdminUser::roleName),
                user.map(AdminUser::expiresAt),
                new SessionView.Csrf(token.getHeaderName(), token.getToken()),
                users.isEnabled(),
                providers);
    }

    private static void refuse(Duration wait) {
        long seconds = wait.plusMillis(999).toSeconds();
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.TOO_MANY_REQUESTS,
                "Too many logins failed in a row. Wait " + seconds + " s before the next one.");
        problem.setType(ProblemType.SATURATED.uri().resolve("too-many-logins"));
        problem.setTitle("Too many logins failed");
        ErrorResponseException refusal = new ErrorResponseException(HttpStatus.TOO_MANY_REQUESTS, problem, null);
        refusal.getHeaders().set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        throw refusal;
    }

    private static ErrorResponseException invalid(String field, String reason) {
        return new ErrorResponseException(HttpStatus.BAD_REQUEST, Problems.invalid(field, reason), null);
    }
}
