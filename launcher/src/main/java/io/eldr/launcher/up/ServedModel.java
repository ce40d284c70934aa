package io.eldr.launcher.up;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an engine says it serves.
 *
 * @param name of the model
 * @param otherNames by which clients may ask for it or its adapters too
 * @param roots where engines have it from: a repository or a path
 */
record ServedModel(String name, List<String> otherNames, List<String> roots) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String HINT = "; --decode must name engines that run, such as vLLM's server";

    ServedModel {
        otherNames = List.copyOf(otherNames);
        roots = List.copyOf(roots);
    }

    List<String> allNames() {
        List<String> all = new ArrayList<>(List.of(name));
        all.addAll(roots);
        all.addAll(otherNames);
        return all;
    }

    /**
     * Asks {@code GET /v1/models}.
     *
     * @throws CommandFailedException saying what the engine did instead of answering
     */
    static ServedModel ask(HttpClient http, URI engine) {
        URI models = URI.create(engine.toString().replaceAll("/+$", "") + "/v1/models");
        HttpResponse<String> response;
        try {
            response = http.send(
                    HttpRequest.newBuilder(models).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new CommandFailedException("Nothing answers at " + models + " (" + e + ")" + HINT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
        if (response.statusCode() != 200) {
            throw new CommandFailedException(models + " answers " + response.statusCode() + HINT);
        }
        return of(models, response.body());
    }

    private static ServedModel of(URI models, String body) {
        List<String> names = new ArrayList<>();
        List<String> roots = new ArrayList<>();
        try {
            for (JsonNode model : JsonMapper.shared().readTree(body).path("data")) {
                names.add(model.path("id").asString(""));
                roots.add(model.path("root").asString(""));
            }
        } catch (JacksonException e) {
            throw new CommandFailedException(models + " answers with something that is not JSON" + HINT, e);
        }
        names.removeIf(String::isEmpty);
        if (names.isEmpty()) {
            throw new CommandFailedException(models + " names no model" + HINT);
        }
        return new ServedModel(names.getFirst(), names.subList(1, names.size()), roots);
    }
}
