package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the schema of the values lets through. */
class ValuesSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Objects whose content is Kubernetes' or Spring's and not the chart's. */
    private static final List<String> FREE = List.of("/properties/global");

    @Test
    void knowsEveryValueAndNoOther() throws IOException {
        JsonNode schema =
                JSON.readTree(Chart.FOLDER.resolve("values.schema.json").toFile());
        JsonNode values = Rendered.yaml(Files.readString(Chart.FOLDER.resolve("values.yaml")));
        Map<String, String> differences = new TreeMap<>();
        compare("", schema, schema, values, differences);
        assertThat(differences).isEmpty();
    }

    /** Both ways, for each object that the schema closes. */
    private static void compare(
            String path, JsonNode root, JsonNode unresolved, JsonNode values, Map<String, String> differences) {
        JsonNode schema =
                unresolved.has("$ref") ? root.at(unresolved.get("$ref").asText().substring(1)) : unresolved;
        if (!schema.has("properties")) {
            return;
        }
        if (!schema.path("additionalProperties").isBoolean()) {
            differences.put(path, "is open");
        }
        schema.get("properties").properties().forEach(property -> {
            String child = path + "/" + property.getKey();
            if (values.has(property.getKey())) {
                compare(child, root, property.getValue(), values.get(property.getKey()), differences);
            } else if (!FREE.contains("/properties" + child) && !isOptional(path, property.getKey())) {
                differences.put(child, "is in the schema and not in values.yaml");
            }
        });
        values.fieldNames().forEachRemaining(name -> {
            if (!schema.get("properties").has(name)) {
                differences.put(path + "/" + name, "is in values.yaml and not in the schema");
            }
        });
    }

    private static boolean isOptional(String path, String name) {
        return path.endsWith("/resources") || path.endsWith("/roles") || name.equals("limits");
    }

    /** All in one rendering: Helm says all that is wrong. */
    @Test
    void refusesMisspeltKeysByTheirNames() {
        Chart.cluster();
        Chart.assertRefused("""
            replica: 2
            router: {replicaz: 2, autoscaling: {enable: true}, resources: {limit: {memory: 1Gi}}}
            postgres: {hostname: db, trial: {size: 1Gi}}
            adminUi: {oidc: {issuerUrl: x}}
            auth: {oidc: {audience: eldr, roles: {root: [x]}}}
            networkPolicy: {client: []}
            monitoring: {rules: {enabledd: true}}
            ingress: {host: a}
            pools:
              - {name: p, model: m, layers: 1, experts: 1, topK: 1, decode: {services: d}}
              - {name: p, model: m, layers: 1, experts: 1, topK: 1, topk: 1}
            """)
                .message()
                .contains(
                        "additional properties 'replica' not allowed",
                        "at '/router': additional properties 'replicaz' not allowed",
                        "at '/router/autoscaling': additional properties 'enable' not allowed",
                        "at '/router/resources': additional properties 'limit' not allowed",
                        "at '/postgres': additional properties 'hostname' not allowed",
                        "at '/postgres/trial': additional properties 'size' not allowed",
                        "at '/adminUi/oidc': additional properties 'issuerUrl' not allowed",
                        "at '/auth/oidc': additional properties 'audience' not allowed",
                        "at '/auth/oidc/roles': additional properties 'root' not allowed",
                        "at '/networkPolicy': additional properties 'client' not allowed",
                        "at '/monitoring/rules': additional properties 'enabledd' not allowed",
                        "at '/ingress': additional properties 'host' not allowed",
                        "at '/pools/0/decode': additional properties 'services' not allowed",
                        "at '/pools/1': additional properties 'topk' not allowed");
    }

    @Test
    void refusesBadValuesByTheirPaths() {
        Chart.cluster();
        String pool = "name: p, model: m, experts: 1, topK: 1";
        Chart.assertRefused("""
            router: {replicas: two, drainSeconds: 0, image: {repository: r, digest: latest}}
            calibration: {replicas: -1}
            postgres: {mode: external, port: 99999, sslMode: verify-full}
            auth: {tokens: [{name: a, role: root, sha256: x}, {name: a, role: client}], oidc: {issuer: 'https://id'}}
            adminUi: {path: eldr, oidc: {issuer: 'https://id'}}
            networkPolicy: {clients: [{}]}
            pools:
              - {%1$s, layers: 0}
              - {%1$s, layers: 1, decode: {service: a, urls: {b: 'http://c'}}}
              - {%1$s, layers: 1, decode: {urls: {b: 'ftp://c'}}}
              - {%1$s, layers: 1, decode: {urls: {b: 'http://c'}, port: 1}}
              - {%1$s, layers: 1, dialect: sglang, engineModel: '', adapters: [a, a]}
            """.formatted(pool))
                .message()
                .contains(
                        "'/router/replicas'",
                        "'/router/drainSeconds'",
                        "'/router/image/digest'",
                        "'/calibration/replicas'",
                        "'/postgres/host'",
                        "'/postgres/existingSecret'",
                        "'/postgres/port'",
                        "'/postgres/caSecret'",
                        "'/auth/tokens/0/role'",
                        "'/auth/tokens/1'",
                        "'/auth/oidc/audiences'",
                        "'/adminUi/path'",
                        "'/adminUi/oidc/clientId'",
                        "'/networkPolicy/clients/0'",
                        "'/pools/0/layers'",
                        "'/pools/1/decode'",
                        "'/pools/2/decode/urls/b'",
                        "'/pools/3/decode/port'",
                        "'/pools/4/dialect'",
                        "'/pools/4/engineModel'",
                        "'/pools/4/adapters'");
        Chart.assertRefused("postgres: {host: db}").hasMessageContaining("'/postgres/host'");
    }

    @Test
    void whatNoSchemaCanSayIsRefusedWithWhatToDo() {
        Chart.cluster();
        Chart.assertRefused("router: {autoscaling: {enabled: true, minReplicas: 5, maxReplicas: 2}}")
                .hasMessageContaining("minReplicas 5 is more than maxReplicas 2");
        Chart.assertRefused("router: {autoscaling: {enabled: true, cpuPercent: 0}}")
                .hasMessageContaining("set cpuPercent or decisionsPerSecond");
        Chart.assertRefused("ingress: {enabled: true}").hasMessageContaining("ingress.enabled needs at least one of");
        Chart.assertRefused("ingress: {enabled: true, routerHost: a.example, calibrationHost: a.example}")
                .hasMessageContaining("host a.example with path / is given to two services");
        Chart.assertRefused("httpRoute: {enabled: true, routerHost: a.example}")
                .hasMessageContaining("httpRoute.enabled needs httpRoute.parentRefs");
        Chart.assertRefused(
                        "pools: [{name: p, model: m, layers: 1, experts: 1, topK: 1}, {name: p, model: m, layers: 1,"
                                + " experts: 1, topK: 1}]")
                .hasMessageContaining("pools names \"p\" twice");
    }
}
