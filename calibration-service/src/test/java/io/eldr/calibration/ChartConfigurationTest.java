package io.eldr.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.routing.PolicyName;
import io.eldr.db.pool.Dialect;
import io.eldr.service.access.AccessProperties;
import io.eldr.service.testing.ChartConfiguration;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The calibration service knows every setting that the chart gives it. */
class ChartConfigurationTest {
    private final ChartConfiguration chart = ChartConfiguration.of("calibration");

    @Test
    void everySettingOfTheChartIsOneOfTheServices() {
        CalibrationProperties calibration = chart.bind("eldr.calibration", CalibrationProperties.class);
        assertThat(calibration.pools().stream().map(DeclaredPool::name)).containsExactly("qwen3-30b", "gpt-oss");
        DeclaredPool qwen = calibration.pools().getFirst();
        assertThat(qwen.topK()).isEqualTo(8);
        assertThat(qwen.revisionIfAny()).contains("2507");
        assertThat(qwen.aliases()).containsExactly("qwen3");
        assertThat(qwen.dialectIfAny()).contains("vllm");
        assertThat(qwen.engineModelIfAny()).contains("Qwen/Qwen3-30B-A3B");
        assertThat(qwen.adapters()).containsExactly("qwen3-law");
        assertThat(calibration.pools().getLast().workers()).hasSize(2);
        assertThat(calibration.pools().getLast().dialectIfAny()).isEmpty();
        AccessProperties access = chart.bind("eldr.access", AccessProperties.class);
        assertThat(access.tokens()).hasSize(5);
        assertThat(access.oidc().issuer()).contains("https://id.example.com/realms/ops");
        chart.bind("eldr", EldrProperties.class);
    }

    @Test
    void theValuesOfTheChartMayNameThePoliciesAndDialectsThereAre() {
        JsonNode pool = JsonMapper.shared()
                .readTree(Path.of("..", "helm", "eldr", "values.schema.json").toFile())
                .at("/$defs/pool/properties");
        assertThat(names(pool.at("/policy/enum")))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(PolicyName.values()).map(PolicyName::id).toList());
        assertThat(names(pool.at("/dialect/enum")))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Dialect.values()).map(Dialect::id).toList());
    }

    private static List<String> names(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }
}
