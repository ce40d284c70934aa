package io.eldr.service.access;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.ErrorResponseException;

/** A token that is not accepted, or cannot be checked now. The message is for the caller. */
public final class TokenRefusedException extends AuthenticationException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;
    private final String detail;

    TokenRefusedException(ProblemType type, String detail) {
        super(detail);
        this.type = type;
        this.detail = detail;
    }

    /** What a caller is answered who is not let in. */
    public static ErrorResponseException answer(AuthenticationException refusal) {
        if (!(refusal instanceof TokenRefusedException told)) {
            return with(
                    HttpHeaders.WWW_AUTHENTICATE,
                    "Bearer",
                    new ErrorResponseException(ProblemType.UNAUTHORIZED.status(), Problems.unauthorized(), null));
        }
        ErrorResponseException answer = Problems.exception(told.type, told.detail);
        return told.type == ProblemType.UNAUTHORIZED
                ? with(HttpHeaders.WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"", answer)
                : with(HttpHeaders.RETRY_AFTER, "1", answer);
    }

    private static ErrorResponseException with(String header, String value, ErrorResponseException answer) {
        answer.getHeaders().set(header, value);
        return answer;
    }
}
