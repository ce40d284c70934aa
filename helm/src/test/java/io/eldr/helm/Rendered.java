package io.eldr.helm;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Rendered objects, read as strictly as an API server with field validation reads them. */
record Rendered(List<HasMetadata> objects) {
    private static final Map<String, Class<? extends HasMetadata>> KINDS = kinds();

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** The model keeps what it does not know; without that, it is refused. */
    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return false;
                }
            });

    private static Map<String, Class<? extends HasMetadata>> kinds() {
        Map<String, Class<? extends HasMetadata>> kinds = new LinkedHashMap<>();
        Stream.of(
                        ConfigMap.class,
                        Secret.class,
                        Service.class,
                        ServiceAccount.class,
                        Pod.class,
                        Deployment.class,
                        StatefulSet.class,
                        Job.class,
                        HorizontalPodAutoscaler.class,
                        PodDisruptionBudget.class,
                        NetworkPolicy.class,
                        Ingress.class,
                        HTTPRoute.class,
                        Role.class,
                        RoleBinding.class,
                        ServiceMonitor.class,
                        PrometheusRule.class)
                .forEach(type -> kinds.put(HasMetadata.getApiVersion(type) + "/" + HasMetadata.getKind(type), type));
        return Map.copyOf(kinds);
    }

    static Rendered parse(String yaml) {
        List<HasMetadata> objects = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(yaml)) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                if (!document.isNull() && !document.isMissingNode()) {
                    objects.add(typed(document));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Rendered(List.copyOf(objects));
    }

    private static HasMetadata typed(JsonNode document) throws IOException {
        String kind = document.path("apiVersion").asText() + "/"
                + document.path("kind").asText();
        Class<? extends HasMetadata> type = KINDS.get(kind);
        if (type == null) {
            throw new IllegalArgumentException("no test knows objects of kind " + kind + ": " + document);
        }
        return STRICT.treeToValue(document, type);
    }

    static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    <T extends HasMetadata> List<T> all(Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <T extends HasMetadata> Optional<T> find(Class<T> type, String name) {
        return all(type).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }

    <T extends HasMetadata> T one(Class<T> type, String name) {
        return find(type, name)
                .orElseThrow(() -> new AssertionError("no " + type.getSimpleName() + " " + name + " among "
                        + all(type).stream()
                                .map(object -> object.getMetadata().getName())
                                .toList()));
    }

    /** The configuration of a component, as its service reads it. */
    JsonNode config(String configMap) {
        return yaml(one(ConfigMap.class, configMap).getData().getOrDefault("application.yaml", ""));
    }

    /** Pods that these objects are or make, each under what makes it. */
    record Runs(HasMetadata by, PodTemplateSpec pod) {
        PodSpec spec() {
            return pod.getSpec();
        }

        Map<String, String> labels() {
            return pod.getMetadata().getLabels();
        }

        String component() {
            return labels().getOrDefault("app.kubernetes.io/component", "");
        }

        List<Container> containers() {
            return Stream.concat(spec().getInitContainers().stream(), spec().getContainers().stream())
                    .toList();
        }

        @Override
        public String toString() {
            return by.getKind() + " " + by.getMetadata().getName();
        }
    }

    List<Runs> pods() {
        return objects.stream()
                .flatMap(object -> switch (object) {
                    case Deployment deployment ->
                        Stream.of(new Runs(object, deployment.getSpec().getTemplate()));
                    case StatefulSet set ->
                        Stream.of(new Runs(object, set.getSpec().getTemplate()));
                    case Job job -> Stream.of(new Runs(object, job.getSpec().getTemplate()));
                    case Pod pod ->
                        Stream.of(new Runs(
                                object,
                                new PodTemplateSpecBuilder()
                                        .withMetadata(pod.getMetadata())
                                        .withSpec(pod.getSpec())
                                        .build()));
                    default -> Stream.<Runs>empty();
                })
                .toList();
    }
}
