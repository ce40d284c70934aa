package io.eldr.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;

/** Which kinds of objects an API server has, as it tells whoever asks. */
final class ApiKinds {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Kinds by the path of their group and version. */
    private static final Map<String, Map<String, String>> BY_GROUP = Map.of(
            "/api/v1",
                    Map.of(
                            "secrets", "Secret",
                            "configmaps", "ConfigMap",
                            "services", "Service",
                            "serviceaccounts", "ServiceAccount",
                            "pods", "Pod"),
            "/apis/apps/v1",
                    Map.of("deployments", "Deployment", "statefulsets", "StatefulSet", "replicasets", "ReplicaSet"),
            "/apis/batch/v1", Map.of("jobs", "Job"),
            "/apis/policy/v1", Map.of("poddisruptionbudgets", "PodDisruptionBudget"),
            "/apis/networking.k8s.io/v1", Map.of("networkpolicies", "NetworkPolicy", "ingresses", "Ingress"),
            "/apis/rbac.authorization.k8s.io/v1", Map.of("roles", "Role", "rolebindings", "RoleBinding"));

    private ApiKinds() {}

    /** The kind of a group's plural name; empty text for one that is not known. */
    static String kind(String group, String plural) {
        return BY_GROUP.getOrDefault(group, Map.of()).getOrDefault(plural, "");
    }

    /** The answer to a question about versions, groups or kinds; empty for any other path. */
    static Optional<JsonNode> discovery(String path) {
        if (path.equals("/version")) {
            return Optional.of(
                    JSON.createObjectNode().put("major", "1").put("minor", "33").put("gitVersion", "v1.33.0"));
        }
        if (path.equals("/api")) {
            ObjectNode versions = JSON.createObjectNode().put("kind", "APIVersions");
            versions.putArray("versions").add("v1");
            return Optional.of(versions);
        }
        if (path.equals("/apis")) {
            ObjectNode list =
                    JSON.createObjectNode().put("kind", "APIGroupList").put("apiVersion", "v1");
            ArrayNode groups = list.putArray("groups");
            BY_GROUP.keySet().stream()
                    .filter(group -> group.startsWith("/apis/"))
                    .forEach(group -> {
                        String name = group.split("/", -1)[2];
                        ObjectNode version = JSON.createObjectNode()
                                .put("groupVersion", name + "/v1")
                                .put("version", "v1");
                        ObjectNode entry = groups.addObject().put("name", name);
                        entry.putArray("versions").add(version);
                        entry.set("preferredVersion", version);
                    });
            return Optional.of(list);
        }
        return Optional.ofNullable(BY_GROUP.get(path)).map(kinds -> {
            ObjectNode list = JSON.createObjectNode()
                    .put("kind", "APIResourceList")
                    .put("apiVersion", "v1")
                    .put("groupVersion", path.replaceFirst("^/apis?/", ""));
            ArrayNode resources = list.putArray("resources");
            kinds.forEach((name, kind) -> resources
                    .addObject()
                    .put("name", name)
                    .put("singularName", "")
                    .put("namespaced", true)
                    .put("kind", kind)
                    .putArray("verbs")
                    .add("get")
                    .add("list")
                    .add("create")
                    .add("patch")
                    .add("delete"));
            return list;
        });
    }
}
