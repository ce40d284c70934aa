package io.eldr.router.discovery;

import static io.eldr.router.discovery.FollowedCluster.SELDOM;
import static io.eldr.router.discovery.FollowedCluster.picked;
import static io.eldr.router.discovery.FollowedCluster.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.pool.Pool;
import io.fabric8.kubernetes.api.model.ListMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.WatchEventBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceListBuilder;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster's watch fails in the ways in which watches fail, and what is known comes right again. */
class WatchFaultsTest {

    private static final String PATH =
            "/apis/discovery.k8s.io/v1/namespaces/engines/endpointslices?labelSelector=app%3Ddecode";

    private static final String LAST = "9";
    private static final Duration OFTEN = Duration.ofSeconds(1);

    private final FollowedCluster cluster = FollowedCluster.scripted();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aDeletionThatTheWatchMissedIsFoundByListingAgain() {
        expectList("5", Slices.ready("decode-0"), Slices.ready("decode-1"));
        // The watch says nothing of what happens and never ends by itself.
        expectSilentWatch("5", OFTEN);
        expectSilentWatch("9", OFTEN);
        Pool pool = cluster.follow(OFTEN);
        await().until(() -> picked(pool).equals(Set.of("decode-0", "decode-1")));
        // Up to here a list fails, which changes nothing.
        expectList("9", Slices.ready("decode-1"));
        await().until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    @Test
    void aWatchThatIsGoneIsBegunAnewFromAList() {
        expectList("5", Slices.ready("decode-0"), Slices.ready("decode-1"));
        cluster.server()
                .expect()
                .withPath(watchFrom("5", SELDOM))
                .andUpgradeToWebSocket()
                .open()
                .waitFor(100)
                .andEmit(new WatchEventBuilder()
                        .withType("ERROR")
                        .withObject(new StatusBuilder()
                                .withCode(410)
                                .withReason("Expired")
                                .withMessage("too old resource version: 5 (9)")
                                .build())
                        .build())
                .done()
                .always();
        expectList("9", Slices.ready("decode-1"));
        expectSilentWatch("9", SELDOM);
        Pool pool = cluster.follow(SELDOM);
        await().until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    @Test
    void aWatchThatSaysNonsenseOrIsClosedIsBegunAnewFromAList() {
        expectList("5", Slices.ready("decode-0"), Slices.ready("decode-1"));
        cluster.server()
                .expect()
                .withPath(watchFrom("5", SELDOM))
                .andUpgradeToWebSocket()
                .open()
                .waitFor(100)
                .andEmit("{\"type\": \"MODIFIED\", \"obj")
                .done()
                .always();
        expectList("9", Slices.ready("decode-1"));
        expectSilentWatch("9", SELDOM);
        Pool pool = cluster.follow(SELDOM);
        await().atMost(Duration.ofSeconds(60)).until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    @Test
    void anErrorOfTheClusterLeavesWhatWasKnownAndIsTriedAgain() {
        expectList("5", Slices.ready("decode-0"));
        cluster.server()
                .expect()
                .withPath(watchFrom("5", SELDOM))
                .andReturn(503, "")
                .always();
        cluster.server().expect().get().withPath(PATH).andReturn(503, "").times(3);
        expectSilentWatch("9", SELDOM);
        Pool pool = cluster.follow(SELDOM);
        await().until(() -> picked(pool).equals(Set.of("decode-0")));
        expectList("9", Slices.ready("decode-1"));
        await().atMost(Duration.ofSeconds(60)).until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    /** As with a Role that is missing at first. */
    @Test
    void whatMayNotBeReadIsFollowedOnceItMay() {
        cluster.server()
                .expect()
                .get()
                .withPath(PATH)
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withReason("Forbidden")
                                .withMessage("endpointslices is forbidden")
                                .build())
                .times(2);
        expectList("9", Slices.ready("decode-1"));
        expectSilentWatch("9", SELDOM);
        Pool pool = cluster.follow(SELDOM);
        KubernetesDiscovery discovery = cluster.discovery();
        await().until(discovery::askedAll);
        await().atMost(Duration.ofSeconds(60)).until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    @Test
    void withoutAClusterTheRestGoesOn() {
        Pool pool = cluster.follow("http://127.0.0.1:1/", SELDOM);
        KubernetesDiscovery discovery = cluster.discovery();
        await().until(discovery::askedAll);
        assertThat(discovery.workers("p")).isEmpty();
        assertThat(picked(pool)).isEmpty();
    }

    private void expectList(String version, EndpointSlice... slices) {
        cluster.server()
                .expect()
                .get()
                .withPath(PATH)
                .andReturn(
                        200,
                        new EndpointSliceListBuilder()
                                .withMetadata(new ListMetaBuilder()
                                        .withResourceVersion(version)
                                        .build())
                                .withItems(slices)
                                .build())
                .times(version.equals(LAST) ? 100 : 1);
    }

    /** A watch that seems alive and says nothing for longer than {@link #OFTEN}; the server waits for it when it stops. */
    private void expectSilentWatch(String version, Duration relist) {
        cluster.server()
                .expect()
                .withPath(watchFrom(version, relist))
                .andUpgradeToWebSocket()
                .open()
                .waitFor(1_500)
                .andEmit("too late")
                .done()
                .always();
    }

    private static String watchFrom(String version, Duration relist) {
        return PATH.replace("?", "?allowWatchBookmarks=true&") + "&resourceVersion=" + version + "&timeoutSeconds="
                + (relist.toSeconds() + 1) + "&watch=true";
    }
}
