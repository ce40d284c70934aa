package io.eldr.launcher.up;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.launcher.console.UsageException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The geometry of models that are served with many experts, by a part of their name: MoE layers (dense ones route nothing),
 * routed experts without shared ones, and experts per token, as their {@code config.json} says.
 */
final class KnownModels {
    private static final Map<String, Geometry> BY_PART = new LinkedHashMap<>();

    static {
        BY_PART.put("qwen3-30b-a3b", new Geometry(48, 128, 8));
        BY_PART.put("qwen3-235b-a22b", new Geometry(94, 128, 8));
        BY_PART.put("gpt-oss-20b", new Geometry(24, 32, 4));
        BY_PART.put("gpt-oss-120b", new Geometry(36, 128, 4));
        BY_PART.put("gemma-4-26b-a4b", new Geometry(30, 128, 8));
        BY_PART.put("deepseek-v3", new Geometry(58, 256, 8));
        BY_PART.put("deepseek-v2-lite", new Geometry(26, 64, 6));
        BY_PART.put("mixtral-8x7b", new Geometry(32, 8, 2));
    }

    private KnownModels() {}

    /** @param names of one model, as an engine tells them: a name it serves it by, a path, a repository */
    static Optional<Geometry> of(List<String> names) {
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .flatMap(name -> BY_PART.entrySet().stream()
                        .filter(known -> name.contains(known.getKey()))
                        .map(Map.Entry::getValue))
                .findFirst();
    }

    /** @throws UsageException naming the option if the text is no {@code LxExK} */
    static Geometry parse(String option, String text) {
        try {
            int[] sizes = Arrays.stream(text.split("x", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            if (sizes.length == 3) {
                return new Geometry(sizes[0], sizes[1], sizes[2]);
            }
        } catch (NumberFormatException e) {
            // Refused below.
        } catch (InvalidInputException e) {
            throw new UsageException(option + " is '" + text + "': " + e.field() + " " + e.reason());
        }
        throw new UsageException(option + " must be like 48x128x8 but is '" + text + "'");
    }
}
