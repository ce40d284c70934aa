package io.eldr.db.pool;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.routing.HotRule;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.ShadowRule;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.mapping.Checks;
import io.eldr.db.mapping.DatabaseTime;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * One model with its workers: its geometry, which never changes, and how its requests are routed, which an operator
 * changes at run time. A deleted pool keeps its row as the owner of its history and gives its name free.
 */
@Entity
public class Pool {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern POLICY = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");
    private static final int MAX_NAMES = 100;
    private static final double DEFAULT_SAMPLING_RATE = 0.1;

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private String name;
    private String model;
    private @Nullable String revision;
    private int layers;
    private int experts;

    @Column(name = "top_k")
    private int topK;

    @JdbcTypeCode(SqlTypes.ARRAY)
    private List<String> aliases;

    private String dialect;
    private @Nullable String engineModel;

    @JdbcTypeCode(SqlTypes.ARRAY)
    private List<String> adapters;

    private String policy;
    private @Nullable Double tau;
    private @Nullable Integer minCandidates;
    private @Nullable Double hotFactor;
    private @Nullable Integer hotMinExcess;
    private @Nullable Double hotKvCap;
    private @Nullable String shadowPolicy;
    private @Nullable Double shadowTau;
    private @Nullable String switchbackFirst;
    private @Nullable String switchbackSecond;
    private @Nullable Integer switchbackMinutes;
    private boolean pinned;
    private @Nullable Integer maxSamples;
    private @Nullable Integer maxSampleAgeDays;
    private double samplingRate;

    @Convert(converter = PoolMode.Code.class)
    private PoolMode mode;

    private Instant createdAt;
    private Instant updatedAt;
    private @Nullable Instant deletedAt;

    @Version
    private int lockVersion;

    protected Pool() {}

    /**
     * A new pool with the default way of routing: policy {@code eldr}, tau and candidates left to artifact and policy,
     * activations automatic. Retention is left to the service, a tenth of live requests become samples.
     *
     * @throws InvalidInputException naming the field that is refused
     */
    public Pool(String name, String model, Optional<String> revision, Geometry geometry, Instant at) {
        this.name = Checks.matching(
                "name",
                name,
                NAME,
                "1 to 63 letters, digits, dots, underscores or hyphens that begin with a letter or digit");
        this.model = Checks.text("model", model, 200);
        this.revision = Checks.text("revision", revision, 200);
        this.layers = geometry.layers();
        this.experts = geometry.experts();
        this.topK = geometry.topK();
        this.aliases = List.of();
        this.dialect = Dialect.VLLM.id();
        this.adapters = List.of();
        this.policy = "eldr";
        this.samplingRate = DEFAULT_SAMPLING_RATE;
        this.mode = PoolMode.AUTOMATIC;
        this.createdAt = DatabaseTime.of(at);
        this.updatedAt = createdAt;
    }

    /** Other names of the model that clients may ask for. */
    public void changeAliases(List<String> changed, Instant at) {
        aliases = names("aliases", changed);
        touch(at);
    }

    public void changeDialect(Dialect changed, Instant at) {
        dialect = changed.id();
        touch(at);
    }

    /** @param changed what engines call the model; empty: by whatever name the client asks for */
    public void changeEngineModel(Optional<String> changed, Instant at) {
        engineModel = Checks.text("engineModel", changed, 200);
        touch(at);
    }

    /** Names of adapters that engines serve beside the model, which clients may ask for too. */
    public void changeAdapters(List<String> changed, Instant at) {
        adapters = names("adapters", changed);
        touch(at);
    }

    private static List<String> names(String field, List<String> names) {
        if (names.size() > MAX_NAMES) {
            throw new InvalidInputException(field, "must be at most " + MAX_NAMES + " but are " + names.size());
        }
        names.forEach(name -> Checks.text(field, name, 200));
        return List.copyOf(names);
    }

    public void changeRevision(Optional<String> changed, Instant at) {
        revision = Checks.text("revision", changed, 200);
        touch(at);
    }

    public void changePolicy(String changed, Instant at) {
        policy = Checks.matching("policy", changed, POLICY, "1 to 32 lower-case letters, digits or hyphens");
        touch(at);
    }

    /** @param changed the width of the locality band, 0 to 2; empty leaves it to the artifact */
    public void changeTau(OptionalDouble changed, Instant at) {
        tau = changed.isPresent() ? Double.valueOf(Checks.range("tau", changed.getAsDouble(), 0, 2)) : null;
        touch(at);
    }

    /** @param changed the smallest band, 1 or more; empty leaves it to the policy */
    public void changeMinCandidates(OptionalInt changed, Instant at) {
        minCandidates = changed.isPresent()
                ? Integer.valueOf(Checks.range("minCandidates", changed.getAsInt(), 1, 10_000))
                : null;
        touch(at);
    }

    public void changeRetention(Retention changed, Instant at) {
        maxSamples = changed.maxSamples().isPresent()
                ? Integer.valueOf(changed.maxSamples().getAsInt())
                : null;
        maxSampleAgeDays = changed.maxAgeDays().isPresent()
                ? Integer.valueOf(changed.maxAgeDays().getAsInt())
                : null;
        touch(at);
    }

    /** @param changed the share of live requests that become samples, 0 to 1 */
    public void changeSamplingRate(double changed, Instant at) {
        samplingRate = Checks.range("sampling.rate", changed, 0, 1);
        touch(at);
    }

    /** @param changed which decoders leave the band for their load; empty: none */
    public void changeHot(Optional<HotRule> changed, Instant at) {
        hotFactor = changed.map(HotRule::factor).orElse(null);
        hotMinExcess = changed.map(HotRule::minExcess).orElse(null);
        hotKvCap = changed.map(HotRule::kvCap).orElse(null);
        touch(at);
    }

    /** @param changed the policy that decides beside the live one; empty: none */
    public void changeShadow(Optional<ShadowRule> changed, Instant at) {
        shadowPolicy = changed.map(rule -> rule.policy().id()).orElse(null);
        OptionalDouble own = changed.map(ShadowRule::tau).orElse(OptionalDouble.empty());
        shadowTau = own.isPresent() ? Double.valueOf(own.getAsDouble()) : null;
        touch(at);
    }

    /** @param changed the policies that take turns in place of the pool's own; empty: none */
    public void changeSwitchback(Optional<SwitchbackRule> changed, Instant at) {
        switchbackFirst = changed.map(rule -> rule.first().id()).orElse(null);
        switchbackSecond = changed.map(rule -> rule.second().id()).orElse(null);
        switchbackMinutes = changed.map(SwitchbackRule::minutes).orElse(null);
        touch(at);
    }

    public void changeMode(PoolMode changed, Instant at) {
        mode = changed;
        touch(at);
    }

    /** No activation happens by itself until {@link #unpin}. */
    public void pin(Instant at) {
        pinned = true;
        touch(at);
    }

    public void unpin(Instant at) {
        pinned = false;
        touch(at);
    }

    /** @throws IllegalStateException if it is deleted already */
    public void delete(Instant at) {
        touch(at);
        deletedAt = updatedAt;
    }

    private void touch(Instant at) {
        if (deletedAt != null) {
            throw new IllegalStateException("pool " + name + " is deleted");
        }
        updatedAt = DatabaseTime.of(at);
    }

    /** The key; a pool has one once it is saved. */
    public long id() {
        return Objects.requireNonNull(id, "the pool is not saved yet");
    }

    public String name() {
        return name;
    }

    public String model() {
        return model;
    }

    public Optional<String> revision() {
        return Optional.ofNullable(revision);
    }

    public Geometry geometry() {
        return new Geometry(layers, experts, topK);
    }

    /** The model as artifacts name it. */
    public ModelIdentity identity() {
        return new ModelIdentity(model, revision().orElse(""), geometry());
    }

    public List<String> aliases() {
        return List.copyOf(aliases);
    }

    public Dialect dialect() {
        return Dialect.of("dialect", dialect);
    }

    public Optional<String> engineModel() {
        return Optional.ofNullable(engineModel);
    }

    public List<String> adapters() {
        return List.copyOf(adapters);
    }

    public String policy() {
        return policy;
    }

    public OptionalDouble tau() {
        return tau == null ? OptionalDouble.empty() : OptionalDouble.of(tau);
    }

    public OptionalInt minCandidates() {
        return minCandidates == null ? OptionalInt.empty() : OptionalInt.of(minCandidates);
    }

    public Retention retention() {
        return new Retention(
                maxSamples == null ? OptionalInt.empty() : OptionalInt.of(maxSamples),
                maxSampleAgeDays == null ? OptionalInt.empty() : OptionalInt.of(maxSampleAgeDays));
    }

    public double samplingRate() {
        return samplingRate;
    }

    public Optional<HotRule> hot() {
        return hotFactor == null || hotMinExcess == null || hotKvCap == null
                ? Optional.empty()
                : Optional.of(new HotRule(hotFactor, hotMinExcess, hotKvCap));
    }

    public Optional<ShadowRule> shadow() {
        return shadowPolicy == null
                ? Optional.empty()
                : Optional.of(new ShadowRule(
                        PolicyName.of("shadow.policy", shadowPolicy),
                        shadowTau == null ? OptionalDouble.empty() : OptionalDouble.of(shadowTau)));
    }

    public Optional<SwitchbackRule> switchback() {
        return switchbackFirst == null || switchbackSecond == null || switchbackMinutes == null
                ? Optional.empty()
                : Optional.of(new SwitchbackRule(
                        PolicyName.of("switchback.policies", switchbackFirst),
                        PolicyName.of("switchback.policies", switchbackSecond),
                        switchbackMinutes));
    }

    public boolean pinned() {
        return pinned;
    }

    public PoolMode mode() {
        return mode;
    }

    public Instant createdAt() {
        return createdAt;
    }

    public Instant updatedAt() {
        return updatedAt;
    }

    public Optional<Instant> deletedAt() {
        return Optional.ofNullable(deletedAt);
    }
}
