package io.eldr.router.discovery;

import io.eldr.router.discovery.KubernetesProperties.KubernetesPool;
import io.eldr.router.intent.WorkerIntent;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;

/** Endpoint slices of one pod each. */
final class Slices {

    static final String NAMESPACE = "engines";
    static final String LABEL = "app";
    static final String SERVICE = "decode";
    static final KubernetesPool POOL = new KubernetesPool(
            "p", NAMESPACE, LABEL + "=" + SERVICE, null, "http", WorkerIntent.Role.DECODE, WorkerIntent.Probe.NONE);

    private Slices() {}

    static EndpointSlice ready(String pod) {
        return slice("slice-of-" + pod, pod, true, false);
    }

    static EndpointSlice slice(String name, String pod, boolean ready, boolean terminating) {
        return new EndpointSliceBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(NAMESPACE)
                .addToLabels(LABEL, SERVICE)
                .endMetadata()
                .withAddressType("IPv4")
                .addNewPort()
                .withName("metrics")
                .withPort(9000)
                .endPort()
                .addNewPort()
                .withName("http")
                .withPort(8000)
                .endPort()
                .addNewEndpoint()
                .withAddresses("10.0.0.1")
                .withNewConditions()
                .withReady(ready)
                .withServing(true)
                .withTerminating(terminating)
                .endConditions()
                .withNewTargetRef()
                .withKind("Pod")
                .withName(pod)
                .withUid("uid-of-" + pod)
                .endTargetRef()
                .endEndpoint()
                .build();
    }
}
