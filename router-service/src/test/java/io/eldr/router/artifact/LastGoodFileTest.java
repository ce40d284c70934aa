package io.eldr.router.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.routing.HotRule;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.ShadowRule;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.router.intent.Activation;
import io.eldr.router.intent.EngineIntent;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.StoredArtifact;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.testing.Fixtures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastGoodFileTest {

    private static final String SHA256 = ArtifactCodec.sha256Hex(ArtifactCodec.encode(Fixtures.artifact(1, 2)));

    @TempDir
    Path directory;

    private LastGoodFile file = new LastGoodFile(Path.of("."));

    @BeforeEach
    void open() {
        file = new LastGoodFile(directory.resolve("made/on/demand"));
    }

    @Test
    void whatWasSavedIsLoadedWhole() throws IOException {
        LastGood state = state(7);
        file.save(state);
        LastGood loaded = file.load().orElseThrow();
        assertThat(loaded.pools().getFirst().intent())
                .isEqualTo(state.pools().getFirst().intent());
        LastGood.SavedArtifact artifact = loaded.pools().getFirst().artifact().orElseThrow();
        assertThat(artifact.activation()).isEqualTo(new Activation(7, 3, SHA256));
        assertThat(ArtifactCodec.decode(artifact.stored().content())).isEqualTo(Fixtures.artifact(1, 2));
    }

    @Test
    void aNewerStateReplacesTheOlderAndLeavesNothingBeside() throws IOException {
        file.save(state(1));
        file.save(state(2));
        assertThat(file.load()
                        .orElseThrow()
                        .pools()
                        .getFirst()
                        .artifact()
                        .orElseThrow()
                        .activation()
                        .generation())
                .isEqualTo(2);
        try (Stream<Path> files = Files.list(file.path().getParent())) {
            assertThat(files).containsExactly(file.path());
        }
    }

    @Test
    void nothingSavedIsNothingLoaded() {
        assertThat(file.load()).isEmpty();
    }

    @Test
    void aDamagedFileIsRefusedWhereverItIsDamaged() throws IOException {
        file.save(state(1));
        byte[] good = Files.readAllBytes(file.path());
        for (int at = 0; at < good.length; at += Math.max(1, good.length / 200)) {
            byte[] damaged = good.clone();
            damaged[at] ^= 1;
            Files.write(file.path(), damaged);
            assertThat(file.load()).as("flipped byte %d", at).isEmpty();
        }
        for (int length = 0; length < good.length; length += Math.max(1, good.length / 50)) {
            Files.write(file.path(), Arrays.copyOf(good, length));
            assertThat(file.load()).as("cut to %d bytes", length).isEmpty();
        }
        Files.write(file.path(), good);
        assertThat(file.load()).isPresent();
    }

    @Test
    void aStateOfAnotherShapeIsRefusedThoughItsChecksumMatches() throws IOException {
        byte[] body = "{\"pools\":[{\"intent\":null,\"surprise\":1}]}".getBytes(StandardCharsets.UTF_8);
        Files.createDirectories(file.path().getParent());
        Files.writeString(
                file.path(),
                "eldr-last-good 1 " + ArtifactCodec.sha256Hex(body) + "\n" + new String(body, StandardCharsets.UTF_8));
        assertThat(file.load()).isEmpty();
    }

    @Test
    void aStateOfAnEarlierReleaseWithoutTheLaterSettingsIsTaken() throws IOException {
        file.save(state(7));
        String saved = Files.readString(file.path());
        String older = saved.substring(saved.indexOf('\n') + 1)
                .replaceAll("\"(hot|shadow|switchback|samplingRate)\":null,", "")
                .replaceAll(",\"(hot|shadow|switchback|samplingRate)\":null", "");
        assertThat(older).doesNotContain("shadow", "samplingRate");
        Files.writeString(
                file.path(),
                "eldr-last-good 1 " + ArtifactCodec.sha256Hex(older.getBytes(StandardCharsets.UTF_8)) + "\n" + older);
        assertThat(file.load().orElseThrow().pools().getFirst().intent())
                .isEqualTo(state(7).pools().getFirst().intent());
    }

    @Test
    void theSettingsOfTrialsAreKept() throws IOException {
        PoolIntent plain = state(7).pools().getFirst().intent();
        PoolIntent tried = new PoolIntent(
                plain.id(),
                plain.name(),
                plain.model(),
                plain.policy(),
                plain.tau(),
                plain.minCandidates(),
                plain.workers(),
                plain.activation(),
                Optional.of(HotRule.DEFAULT),
                Optional.of(new ShadowRule(PolicyName.DOMAIN, OptionalDouble.of(0.3))),
                Optional.of(new SwitchbackRule(PolicyName.ELDR, PolicyName.ROUND_ROBIN, 30)),
                Optional.of(List.of("tiny", "small")),
                Optional.of(0.25),
                Optional.of(new EngineIntent(
                        EngineIntent.Dialect.PREFILL_FIRST, Optional.of("served"), List.of("sql-lora"))));
        file.save(new LastGood(List.of(new LastGood.SavedPool(tried, Optional.empty()))));
        assertThat(file.load().orElseThrow().pools().getFirst().intent()).isEqualTo(tried);
    }

    private static LastGood state(long generation) {
        byte[] content = ArtifactCodec.encode(Fixtures.artifact(1, 2));
        PoolIntent intent = new PoolIntent(
                5,
                "demo",
                Fixtures.MODEL,
                "eldr",
                OptionalDouble.of(0.25),
                OptionalInt.empty(),
                List.of(new WorkerIntent(
                        "decoder-0",
                        "uid-1",
                        WorkerIntent.Role.DECODE,
                        "http://10.0.0.1:8000",
                        2.5,
                        OptionalInt.of(64),
                        WorkerIntent.Probe.HTTP,
                        true,
                        Optional.of("r1"))),
                Optional.of(new Activation(generation, 3, SHA256)));
        return new LastGood(List.of(new LastGood.SavedPool(
                intent,
                Optional.of(new LastGood.SavedArtifact(
                        new Activation(generation, 3, SHA256),
                        new StoredArtifact(content, ArtifactCodec.sha256Hex(content)))))));
    }
}
