package io.eldr.core.calibration;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.BalancedClusters;
import io.eldr.core.clustering.BalancedSphericalKMeans;
import io.eldr.core.clustering.SignatureMatrix;
import io.eldr.core.quality.PrefillDecodeCorrelation;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Fits a routing artifact to samples (ELDR paper, sections 4 and 5): split; representation and mask by rho; balanced
 * spherical K-means from several seeds; the tau that leaves a choice; figures from samples that took no part.
 *
 * <p>The same samples and options give the same artifact, bit for bit, whatever the number of threads.
 */
public final class Calibrator {
    /** So many K-means starts are tried; the best on select is kept. */
    private static final int KMEANS_STARTS = 5;

    private final Parallel parallel;
    private final LongSupplier nanoTime;

    /**
     * @param nanoTime a clock like {@link System#nanoTime()}, for the report
     */
    public Calibrator(Parallel parallel, LongSupplier nanoTime) {
        this.parallel = parallel;
        this.nanoTime = nanoTime;
    }

    /**
     * Fits an artifact on samples of which only decode counts are kept: where decode tokens are needed they are drawn from
     * these. Interrupting the thread ends the fit with a {@link java.util.concurrent.CancellationException}.
     *
     * @throws InvalidInputException naming {@code samples}, or the option that they do not allow
     */
    public Calibration calibrate(
            ModelIdentity model,
            List<RequestSample> samples,
            CalibrationOptions options,
            CalibrationListener listener) {
        return calibrate(model, samples, options, DecodeTokens.drawn(model.geometry()), listener);
    }

    /** Fits an artifact on samples whose decode tokens come from {@code tokens}. */
    public Calibration calibrate(
            ModelIdentity model,
            List<RequestSample> samples,
            CalibrationOptions options,
            DecodeTokens tokens,
            CalibrationListener listener) {
        long start = nanoTime.getAsLong();
        listener.progress(CalibrationStage.SPLIT, 0);
        Geometry geometry = model.geometry();
        SampleChecks.requireUsable(samples, geometry, options);
        SampleSplit split = SampleSplit.stratified(samples, options.holdOut(), options.seed());
        SampleChecks.requireEnoughToFit(split, samples.size(), options);
        List<String> warnings = new ArrayList<>();
        SampleChecks.warnOfSamples(samples, split, options, warnings);

        Map<Representation, CalibrationReport.RhoFigures> rho = new EnumMap<>(Representation.class);
        MaskedRepresentation chosen = choose(geometry, split, options, rho, warnings, listener);
        long masked = nanoTime.getAsLong();

        SampleChecks.requireSignatures(chosen.spec(), split, options);
        SampleChecks.warnOfSignatures(chosen.spec(), split, warnings);
        BalancedClusters clusters = cluster(chosen.spec(), split, options, listener);
        long clustered = nanoTime.getAsLong();

        listener.progress(CalibrationStage.MEASURE, 0);
        double tau = nearest(chosen, clusters, split.select()).recommendedTau();
        Optional<NearestClusters> test =
                split.test().isEmpty() ? Optional.empty() : Optional.of(nearest(chosen, clusters, split.test()));
        RoutingArtifact artifact = new RoutingArtifact(
                model,
                chosen.spec(),
                clusters.centroids(),
                IntStream.range(0, options.clusters())
                        .mapToObj(Integer::toString)
                        .toList(),
                tau,
                new Evidence(
                        split.fit().size(),
                        options.seed(),
                        evidenceOf(rho),
                        chosen.maskOrder(),
                        chosen.maskCurve(),
                        test.map(figures -> figures.statistics(tau)),
                        ClusterPatterns.of(chosen.spec(), clusters.centroids(), split, model, parallel),
                        Map.of(),
                        LabelShares.of(split.fit()),
                        ForecastFit.of(
                                chosen, clusters.centroids(), split, model.geometry(), options.seed(), parallel)));
        SampleChecks.warnOfMissingPatterns(artifact, warnings);
        listener.progress(CalibrationStage.MEASURE, 0.5);
        Optional<UnionReduction> unions = UnionMeasurement.of(artifact, split.test(), tokens, options.seed(), parallel);
        WorthVerdict verdict =
                WorthVerdict.of(WorthVerdict.HeldOutRho.of(chosen.figures().heldOut(), split.test()), unions);
        OptionalDouble correlation = correlation(samples);
        long end = nanoTime.getAsLong();
        CalibrationReport report = new CalibrationReport(
                model,
                samples.size(),
                chosen.spec().representation(),
                rho,
                correlation,
                chosen.spec().mask(),
                chosen.maskOrder(),
                chosen.maskCurve(),
                Arrays.stream(clusters.sizes()).boxed().toList(),
                clusters.objective(),
                tau,
                test.map(figures -> new CalibrationReport.HeldOutFigures(
                        figures.shares(), figures.meanBestSimilarity(), figures.meanBand(tau))),
                unions,
                verdict,
                warnings,
                new CalibrationReport.Times(
                        Duration.ofNanos(masked - start),
                        Duration.ofNanos(clustered - masked),
                        Duration.ofNanos(end - start)));
        listener.progress(CalibrationStage.MEASURE, 1);
        return new Calibration(artifact, report, split.test());
    }

    private MaskedRepresentation choose(
            Geometry geometry,
            SampleSplit split,
            CalibrationOptions options,
            Map<Representation, CalibrationReport.RhoFigures> rho,
            List<String> warnings,
            CalibrationListener listener) {
        List<ExpertCounts> fitted = prefills(split.fit());
        Optional<RhoGauges> gauges = RhoGauges.over(split, options, parallel);
        if (gauges.isEmpty()) {
            return unmeasured(geometry, fitted, options, warnings);
        }
        RepresentationSearch search = new RepresentationSearch(options.mask(), geometry.layers(), gauges.get());

        List<MaskedRepresentation> candidates = new ArrayList<>();
        Representation[] all = Representation.values();
        for (int i = 0; i < all.length; i++) {
            listener.progress(CalibrationStage.MASK, (double) i / all.length);
            SignatureSpec unmasked =
                    RepresentationSearch.unmasked(all[i], geometry.layers(), geometry.experts(), fitted);
            if (unmasked.idf().isPresent() && unmasked.idf().get().isVoid()) {
                rho.put(all[i], new CalibrationReport.RhoFigures(OptionalDouble.empty(), OptionalDouble.empty()));
                warnings.add("count_idf is void: every prompt touches every expert, so all IDF weights are 0");
                refuseVoid(options, all[i]);
                continue;
            }
            MaskedRepresentation measured = search.measure(unmasked);
            rho.put(all[i], measured.figures());
            candidates.add(measured);
        }
        if (candidates.stream().allMatch(candidate -> candidate.selectRho().isEmpty())) {
            warnings.add("rho is undefined: all signatures or all decode patterns are equally far apart");
        }
        return options.representation()
                .map(given -> candidates.stream()
                        .filter(candidate -> candidate.spec().representation() == given)
                        .findFirst()
                        .orElseThrow())
                .orElseGet(() -> RepresentationSearch.best(candidates));
    }

    /** Without decode counts nothing can be compared: the caller must have decided. */
    private static MaskedRepresentation unmeasured(
            Geometry geometry, List<ExpertCounts> fitted, CalibrationOptions options, List<String> warnings) {
        LayerMask mask = switch (options.mask()) {
            case MaskChoice.All() -> LayerMask.all(geometry.layers());
            case MaskChoice.Given(LayerMask given) -> given;
            case MaskChoice.Auto() -> throw withoutDecodeCounts("mask");
        };
        Representation representation =
                options.representation().orElseThrow(() -> withoutDecodeCounts("representation"));
        SignatureSpec unmasked =
                RepresentationSearch.unmasked(representation, geometry.layers(), geometry.experts(), fitted);
        if (unmasked.idf().isPresent() && unmasked.idf().get().isVoid()) {
            refuseVoid(options, representation);
        }
        warnings.add("no decode counts: rho is not known, so nothing says how well these signatures foretell decoding");
        return new MaskedRepresentation(
                unmasked.withMask(mask),
                List.of(),
                List.of(),
                OptionalDouble.empty(),
                new CalibrationReport.RhoFigures(OptionalDouble.empty(), OptionalDouble.empty()));
    }

    private BalancedClusters cluster(
            SignatureSpec spec, SampleSplit split, CalibrationOptions options, CalibrationListener listener) {
        SignatureMatrix fit = SignatureMatrix.of(spec, prefills(split.fit()));
        SignatureMatrix select =
                split.select().equals(split.fit()) ? fit : SignatureMatrix.of(spec, prefills(split.select()));
        Optional<BalancedClusters> best = Optional.empty();
        double bestObjective = Double.POSITIVE_INFINITY;
        for (int i = 0; i < KMEANS_STARTS; i++) {
            listener.progress(CalibrationStage.CLUSTER, (double) i / KMEANS_STARTS);
            BalancedClusters candidate = BalancedSphericalKMeans.fit(
                    fit,
                    options.clusters(),
                    options.seed() + i,
                    BalancedSphericalKMeans.DEFAULT_MAX_ITERATIONS,
                    parallel);
            double objective = select == fit
                    ? candidate.objective()
                    : BalancedSphericalKMeans.assign(select, candidate.centroids(), parallel)
                            .objective();
            if (objective < bestObjective) {
                bestObjective = objective;
                best = Optional.of(candidate);
            }
        }
        return best.orElseThrow();
    }

    private static NearestClusters nearest(
            MaskedRepresentation chosen, BalancedClusters clusters, List<RequestSample> samples) {
        return NearestClusters.of(chosen.spec(), clusters.centroids(), prefills(samples));
    }

    private static OptionalDouble correlation(List<RequestSample> samples) {
        List<RequestSample> decoded =
                samples.stream().filter(sample -> sample.decode().isPresent()).toList();
        return PrefillDecodeCorrelation.pooled(
                prefills(decoded),
                decoded.stream().flatMap(sample -> sample.decode().stream()).toList());
    }

    private static List<ExpertCounts> prefills(List<RequestSample> samples) {
        return samples.stream().map(RequestSample::prefill).toList();
    }

    private static Map<Representation, Evidence.Rho> evidenceOf(Map<Representation, CalibrationReport.RhoFigures> rho) {
        Map<Representation, Evidence.Rho> evidence = new EnumMap<>(Representation.class);
        rho.forEach((representation, figures) ->
                figures.asEvidence().ifPresent(value -> evidence.put(representation, value)));
        return evidence;
    }

    private static void refuseVoid(CalibrationOptions options, Representation representation) {
        if (options.representation().equals(Optional.of(representation))) {
            throw new InvalidInputException(
                    "representation", representation.id() + " is void: every prompt touches every expert");
        }
    }

    private static InvalidInputException withoutDecodeCounts(String option) {
        return new InvalidInputException(
                option, "cannot be chosen by rho because no samples have decode counts; give representation and mask");
    }
}
