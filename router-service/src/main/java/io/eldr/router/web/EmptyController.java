package io.eldr.router.web;

import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What a request costs that is read and not looked at: what {@code ./eldr bench route} compares decisions with. */
@Hidden
@Profile("bench")
@RestController
final class EmptyController {

    @PostMapping("/v1/empty")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void nothing(@RequestBody byte[] body) {
        // It was read, which is all.
    }
}
