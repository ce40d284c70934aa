package io.eldr.core.artifact;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;

/**
 * The model whose routing an artifact describes. An artifact of another identity never serves a pool.
 *
 * @param name the model's name as the engines report it
 * @param revision the model's revision, empty where it is not known
 */
public record ModelIdentity(String name, String revision, Geometry geometry) {
    public ModelIdentity {
        if (name.isBlank()) {
            throw new InvalidInputException("model", "must not be blank");
        }
    }
}
