package io.eldr.router.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.router.discovery.KubernetesProperties.KubernetesPool;
import io.eldr.router.intent.WorkerIntent;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Endpoint slices as workers, and both kinds of workers in one list. */
class SliceWorkersTest {

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(KubernetesProperties.class)
    static class Properties {}

    private final SliceWorkers reader = new SliceWorkers(Slices.POOL);

    @Test
    void aPodIsASlotAndItsUidAnIncarnation() {
        KnownWorker worker = reader.of(List.of(Slices.ready("decode-0"))).getFirst();
        assertThat(worker.worker())
                .isEqualTo(new WorkerIntent(
                        "decode-0",
                        "uid-of-decode-0",
                        WorkerIntent.Role.DECODE,
                        "http://10.0.0.1:8000",
                        1,
                        OptionalInt.empty(),
                        WorkerIntent.Probe.NONE,
                        false,
                        Optional.empty()));
        assertThat(worker.serving()).isTrue();
        assertThat(worker.source()).isEqualTo(KnownWorker.Source.KUBERNETES);
    }

    @Test
    void onlyWhatIsReadyAndStaysIsServed() {
        List<KnownWorker> workers = reader.of(List.of(
                Slices.slice("a", "decode-0", true, false),
                Slices.slice("b", "decode-1", false, false),
                Slices.slice("c", "decode-2", true, true),
                Slices.slice("d", "decode-3", false, true)));
        assertThat(workers).extracting(KnownWorker::serving).containsExactly(true, false, false, false);
        assertThat(workers).extracting(known -> known.worker().draining()).containsExactly(false, false, true, true);
    }

    @Test
    void slicesThatContradictOneAnotherAboutAPodDoNotServeIt() {
        assertThat(reader.of(List.of(
                        Slices.slice("a", "decode-0", true, false), Slices.slice("b", "decode-0", false, false))))
                .singleElement()
                .satisfies(known -> assertThat(known.serving()).isFalse());
    }

    @Test
    void whatCannotBeReachedIsLeftOut() {
        EndpointSlice noPorts =
                new EndpointSliceBuilder(Slices.ready("decode-0")).withPorts().build();
        EndpointSlice names = new EndpointSliceBuilder(Slices.ready("decode-0"))
                .withAddressType("FQDN")
                .build();
        assertThat(reader.of(List.of(noPorts, names))).isEmpty();
        EndpointSlice six = new EndpointSliceBuilder(Slices.ready("decode-0"))
                .withAddressType("IPv6")
                .editFirstEndpoint()
                .withAddresses("fd00::1")
                .withTargetRef(null)
                .endEndpoint()
                .build();
        assertThat(reader.of(List.of(six)).getFirst().worker().url()).isEqualTo("http://[fd00::1]:8000");
        assertThat(reader.of(List.of(six)).getFirst().worker().slot()).isEqualTo("[fd00::1]:8000");
    }

    @Test
    void thePortIsTheOneThatIsNamedOrGiven() {
        KubernetesPool named = new KubernetesPool(
                "p", null, "app=x", null, "metrics", WorkerIntent.Role.PREFILL, WorkerIntent.Probe.HTTP);
        assertThat(new SliceWorkers(named)
                        .of(List.of(Slices.ready("decode-0")))
                        .getFirst()
                        .worker()
                        .url())
                .endsWith(":9000");
        KubernetesPool given =
                new KubernetesPool("p", null, "app=x", 7000, null, WorkerIntent.Role.PREFILL, WorkerIntent.Probe.HTTP);
        WorkerIntent worker = new SliceWorkers(given)
                .of(List.of(Slices.ready("decode-0")))
                .getFirst()
                .worker();
        assertThat(worker.url()).endsWith(":7000");
        assertThat(worker.role()).isEqualTo(WorkerIntent.Role.PREFILL);
    }

    @Test
    void theClusterSaysWhereASlotIsAndTheOperatorHowItIsUsed() {
        WorkerIntent registered = new WorkerIntent(
                "decode-0",
                "registration-1",
                WorkerIntent.Role.DECODE,
                "http://elsewhere",
                3,
                OptionalInt.of(5),
                WorkerIntent.Probe.HTTP,
                true,
                Optional.of("r1"));
        WorkerIntent other = new WorkerIntent(
                "a-static-one",
                "registration-2",
                WorkerIntent.Role.DECODE,
                "http://static",
                1,
                OptionalInt.empty(),
                WorkerIntent.Probe.NONE,
                false,
                Optional.empty());
        WorkerDiscovery discovery = pool -> reader.of(List.of(Slices.ready("decode-0"), Slices.ready("decode-1")));
        List<KnownWorker> all = discovery.with(List.of(registered, other), "p");
        assertThat(all)
                .extracting(known -> known.worker().slot())
                .containsExactly("a-static-one", "decode-0", "decode-1");
        assertThat(all.get(1).worker())
                .isEqualTo(new WorkerIntent(
                        "decode-0",
                        "uid-of-decode-0",
                        WorkerIntent.Role.DECODE,
                        "http://10.0.0.1:8000",
                        3,
                        OptionalInt.of(5),
                        WorkerIntent.Probe.HTTP,
                        true,
                        Optional.of("r1")));
    }

    @ParameterizedTest
    @CsvSource({
        "eldr.router.kubernetes.nonsense=1, eldr.router.kubernetes.nonsense",
        "eldr.router.kubernetes.relist=10ms, eldr.router.kubernetes.relist",
        "eldr.router.kubernetes.pools[0].pool=p, pools[].selector",
        "eldr.router.kubernetes.pools[0].selector=a=b, pools[].pool"
    })
    void aBadOrUnknownPropertyStopsTheStartByItsName(String property, String named) {
        new ApplicationContextRunner()
                .withUserConfiguration(Properties.class)
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().satisfies(failure -> {
                    StringBuilder text = new StringBuilder();
                    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                        text.append(cause).append('\n');
                    }
                    assertThat(text.toString()).contains(named);
                }));
    }
}
