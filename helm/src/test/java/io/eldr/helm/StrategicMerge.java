package io.eldr.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** How an API server applies the patches that Helm sends. */
final class StrategicMerge {
    private StrategicMerge() {}

    /** Lists of what has names are merged by them, as a strategic merge does where our charts need it. */
    static void merge(ObjectNode into, ObjectNode change) {
        for (Map.Entry<String, JsonNode> field : change.properties()) {
            JsonNode present = into.get(field.getKey());
            if (field.getKey().startsWith("$")) {
                continue;
            }
            if (field.getValue().isNull()) {
                into.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode inner && present instanceof ObjectNode old) {
                merge(old, inner);
            } else if (field.getValue() instanceof ArrayNode inner
                    && present instanceof ArrayNode old
                    && named(inner)) {
                inner.forEach(item -> mergeNamed(old, (ObjectNode) item));
            } else {
                into.set(field.getKey(), field.getValue());
            }
        }
    }

    private static boolean named(ArrayNode items) {
        return !items.isEmpty() && items.get(0).has("name");
    }

    private static void mergeNamed(ArrayNode items, ObjectNode change) {
        for (JsonNode item : items) {
            if (item.path("name").equals(change.get("name"))) {
                merge((ObjectNode) item, change);
                return;
            }
        }
        items.add(change);
    }
}
