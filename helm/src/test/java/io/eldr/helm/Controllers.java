package io.eldr.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;

/**
 * Plays Kubernetes' controllers. A Job is done once Postgres answers, and a pod whose init container waits for the schema is
 * ready once a Job of the same image is done, so that whoever makes Helm wait in the wrong order waits for ever.
 */
final class Controllers {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Collection<ObjectNode> objects;
    private boolean postgresAnswers = true;
    private boolean podsComeUp = true;

    /** @param objects all there are; it follows every change */
    Controllers(Collection<ObjectNode> objects) {
        this.objects = objects;
    }

    /** Whether there is room for the pods of Deployments. */
    void podsComeUp(boolean comeUp) {
        podsComeUp = comeUp;
    }

    void postgresAnswers(boolean answers) {
        postgresAnswers = answers;
    }

    /** An object with what the controllers would say of it by now. */
    ObjectNode withStatus(ObjectNode object) {
        ObjectNode shown = object.deepCopy();
        ObjectNode status = shown.putObject("status");
        int wanted = object.at("/spec/replicas").asInt(1);
        switch (object.path("kind").asText()) {
            case "Deployment" -> {
                int ready = isReady(object) ? wanted : 0;
                status.put("observedGeneration", 1).put("replicas", wanted).put("updatedReplicas", wanted);
                status.put("readyReplicas", ready).put("availableReplicas", ready);
            }
            case "StatefulSet" ->
                status.put("observedGeneration", 1)
                        .put("replicas", wanted)
                        .put("readyReplicas", wanted)
                        .put("updatedReplicas", wanted)
                        .put("currentRevision", "r")
                        .put("updateRevision", "r");
            case "Job" -> status.put("succeeded", postgresAnswers ? 1 : 0);
            default -> shown.remove("status");
        }
        return shown;
    }

    /** What a Deployment has made. */
    ObjectNode replicaSet(ObjectNode deployment) {
        ObjectNode set = JSON.createObjectNode().put("kind", "ReplicaSet").put("apiVersion", "apps/v1");
        ObjectNode metadata = set.putObject("metadata");
        metadata.put("name", deployment.at("/metadata/name").asText() + "-rs");
        metadata.put("namespace", deployment.at("/metadata/namespace").asText());
        metadata.set("labels", deployment.at("/spec/template/metadata/labels").deepCopy());
        metadata.putArray("ownerReferences")
                .addObject()
                .put("uid", deployment.at("/metadata/uid").asText())
                .put("kind", "Deployment")
                .put("apiVersion", "apps/v1")
                .put("name", deployment.at("/metadata/name").asText())
                .put("controller", true);
        set.set("spec", deployment.get("spec").deepCopy());
        int wanted = deployment.at("/spec/replicas").asInt(1);
        set.putObject("status").put("replicas", wanted).put("readyReplicas", isReady(deployment) ? wanted : 0);
        return set;
    }

    private boolean isReady(JsonNode deployment) {
        if (!podsComeUp) {
            return false;
        }
        JsonNode waits = deployment.at("/spec/template/spec/initContainers/0");
        return waits.isMissingNode()
                || (postgresAnswers
                        && objects.stream()
                                .filter(object -> object.path("kind").asText().equals("Job"))
                                .anyMatch(job -> job.at("/spec/template/spec/containers/0/image")
                                        .equals(waits.path("image"))));
    }
}
