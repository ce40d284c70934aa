package io.eldr.service.problem;

import io.eldr.core.signature.InvalidInputException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers 400 to input that the core refused, on Web MVC and WebFlux alike. A service imports it. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
public class InvalidInputAdvice {

    @ExceptionHandler
    ProblemDetail invalidInput(InvalidInputException refusal) {
        return Problems.invalid(refusal);
    }
}
