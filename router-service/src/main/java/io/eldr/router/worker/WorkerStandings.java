package io.eldr.router.worker;

import io.eldr.core.load.Incarnation;
import java.util.Collection;
import java.util.Set;

/**
 * What this router sees of the workers by itself: whether they answer probes, whether their requests fail, and what their
 * engines say of their load.
 */
public final class WorkerStandings implements AutoCloseable {

    private final HealthProber prober;
    private final Breakers breakers;
    private final EngineScraper scraper;

    public WorkerStandings(HealthProber prober, Breakers breakers, EngineScraper scraper) {
        this.prober = prober;
        this.breakers = breakers;
        this.scraper = scraper;
    }

    /** Probes these workers from now on and no others. */
    public void probe(Collection<HealthProber.Target> targets) {
        prober.watch(targets);
    }

    /** Reads the metrics of these engines from now on and of no others. */
    public void scrape(Collection<EngineScraper.Target> targets) {
        scraper.watch(targets);
    }

    /** Forgets what incarnations did that are not among these. */
    public void retainOnly(Set<Incarnation> live) {
        breakers.retainOnly(live);
    }

    /** Whether each worker that is probed was asked at least once, and answered or had its time. */
    public boolean askedAll() {
        return prober.askedAll();
    }

    /** How a worker stands that is not probed. */
    public Standing standing(Incarnation incarnation) {
        return breakers.standing(incarnation);
    }

    /** How a worker stands that is probed: its breaker only matters while it answers. */
    public Standing standing(HealthProber.Target target) {
        if (prober.healthy(target)) {
            return breakers.standing(new Incarnation(target.slot(), target.uid()));
        }
        return prober.wasHealthy(target) ? Standing.EJECTED : Standing.NOT_SEEN;
    }

    @Override
    public void close() {
        prober.close();
        scraper.close();
    }
}
